/** What must fit each other in a plan. */
import { toPathNode } from '../../../changes/path-node.ts';
import type { ResourceChange } from '../../../changes/types.ts';
import { BACKUP_FITS } from './backups.ts';
import { CLUSTER_FITS } from './clusters.ts';
import { QUEUE_FITS } from './queues.ts';
import { SERVICE_FITS } from './services.ts';
import type { Fit } from './types.ts';

export { SELF_FITS } from './self.ts';
export type { End, Fit, SelfFit } from './types.ts';

export const FITS: readonly Fit[] = [...QUEUE_FITS, ...SERVICE_FITS, ...BACKUP_FITS, ...CLUSTER_FITS];

/** The arguments that are read of each type. */
export const FIT_READS: readonly (readonly [type: string, names: readonly string[]])[] = FITS.flatMap(
  ({ one, other, looks_up = {} }) => [
    ...[one, other].flatMap(({ types, paths, reads = [] }) =>
      types.map((type) => [type, [...paths, ...reads]] as const),
    ),
    ...Object.entries(looks_up),
  ],
);

const FIT_PATHS = new Map<string, Set<string>>();
for (const { types, paths } of FITS.flatMap(({ one, other }) => [one, other]))
  for (const type of types) FIT_PATHS.set(type, new Set([...(FIT_PATHS.get(type) ?? []), ...paths]));

/** Whether a change can end a fit. */
export function changesFit({ type, action, diffs }: ResourceChange): boolean {
  const paths = FIT_PATHS.get(type);
  if (paths === undefined) return false;
  return action === 'create' || diffs.some((diff) => paths.has(String(toPathNode(diff).first)));
}
