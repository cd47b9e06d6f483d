import type { Period } from './types.ts';

/** All artifacts are below this prefix of the object store. */
export const ARTIFACT_PREFIX = 'packs/';

/** The key of what one attempt builds: a worker that was lost cannot overwrite the artifact of a later attempt. */
export function artifactKey({ org_id, id, attempts }: { org_id: string; id: string; attempts: number }): string {
  return `${ARTIFACT_PREFIX}${org_id}/${id}/${attempts}.zip`;
}

/** The name under which a pack is downloaded; dates are UTC. @param slug letters, digits and dashes */
export function packFilename(slug: string, { period_start, period_end }: Period): string {
  return `compliance-pack-${slug}-${utcDate(period_start)}_${utcDate(period_end)}.zip`;
}

function utcDate(time: Date): string {
  return time.toISOString().slice(0, time.toISOString().indexOf('T'));
}
