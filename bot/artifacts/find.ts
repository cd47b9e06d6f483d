import { type ArtifactRef, type CiRun, type Platform, PlatformError } from '../../server/adapters/scm/types.ts';
import type { FoundPlan } from '../../server/domains/pull-requests/types.ts';
import { createConcurrencyLimit, type Limit } from '../../server/lib/concurrency-limit.ts';
import type { Logger } from '../../server/log.ts';
import { buildFileFilter, chooseArtifacts, listNames } from './choose.ts';
import { readRepoSettings } from './settings.ts';
import type { ArchiveOptions, OpenedArchive, PlanReader, RepoSettings } from './types.ts';

const MIB = 1_048_576;
const MAX_PLANS = 20;
/** Limit for all archives of a run together, unpacked. */
const MAX_UNPACKED_BYTES = 50 * MIB;
/** Limit for one archive, packed. */
const MAX_ARCHIVE_BYTES = 50 * MIB;
/** Limit for all runs together: an archive is in memory twice while it is read. */
const ARCHIVES_AT_ONCE = 4;
const SETTINGS_FILE = '.drift.yml';

export interface FindPlansDeps {
  reader: Pick<PlanReader, 'openArchive'>;
  log: Pick<Logger, 'info'>;
}

type Host = Pick<Platform, 'listArtifacts' | 'downloadArtifact'>;

/**
 * Finds the plans among the artifacts of a run: at most 20, with at most 50 MiB. Everything that can hide a plan is returned
 * as an error: artifacts that are deleted, too large or too many, and errors in the settings file.
 *
 * @param text content of `.drift.yml`; null = no file
 * @throws PlatformError if the Git host is not available
 */
export type FindPlans = (
  platform: Host,
  repo: { org_id: string; path: string },
  run: CiRun,
  text: string | null,
) => Promise<FoundPlan[]>;

export function createFindPlans({ reader, log }: FindPlansDeps): FindPlans {
  const limit = createConcurrencyLimit(ARCHIVES_AT_ONCE);

  return async (platform, { org_id, path: repo }, run, text) => {
    const { settings, problem } = readRepoSettings(text);
    const { chosen, left_out } = chooseArtifacts(await platform.listArtifacts(repo, run), settings);
    const download = (artifact: ArtifactRef) => platform.downloadArtifact(repo, artifact, MAX_ARCHIVE_BYTES);
    const { found, unread } = await readAll(chosen, settings, { org_id, download, reader, limit });
    unread.push(...left_out);
    if (unread.length > 0) found.push(reportUnread(unread));
    log.info(
      { repo, run_id: run.id, artifacts: chosen.length, found: found.length, unread: unread.length, problem },
      'searched a run for plans',
    );
    // Errors in the settings are reported only next to plans, because not every run creates plans.
    if (found.length > 0 && problem !== null) found.push({ plan_key: SETTINGS_FILE, error: problem });
    return withUniqueKeys(found);
  };
}

interface ArtifactReaders {
  org_id: string;
  download(artifact: ArtifactRef): Promise<Uint8Array>;
  reader: FindPlansDeps['reader'];
  limit: Limit;
}

/** Reads artifacts one after the other, so that only one archive is in memory. */
async function readAll(artifacts: ArtifactRef[], settings: RepoSettings, readers: ArtifactReaders) {
  const found: FoundPlan[] = [];
  const unread: string[] = [];
  let max_plans = MAX_PLANS;
  let max_bytes = MAX_UNPACKED_BYTES;
  for (const artifact of artifacts) {
    if (max_plans <= 0 || max_bytes <= 0) {
      unread.push(artifact.name);
      continue;
    }
    const options = { ...buildFileFilter(artifact, settings), max_plans, max_bytes };
    const opened = await readers.limit(() => openArtifact(artifact, options, readers));
    max_bytes -= opened.unpacked_bytes;
    max_plans -= opened.plans.length;
    found.push(...toFoundPlans(artifact, opened));
  }
  return { found, unread };
}

async function openArtifact(
  artifact: ArtifactRef,
  options: ArchiveOptions,
  { org_id, download, reader }: ArtifactReaders,
): Promise<OpenedArchive> {
  if (artifact.size !== null && artifact.size > MAX_ARCHIVE_BYTES) return refused(TOO_LARGE);
  let zip: Uint8Array;
  try {
    zip = await download(artifact);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.error_class === 'too_large') return refused(TOO_LARGE);
    if (error.error_class === 'gone')
      return refused('The artifact was deleted or has expired: run the workflow again.');
    throw error;
  }
  return reader.openArchive(org_id, zip, options);
}

const TOO_LARGE = `The artifact is larger than ${MAX_ARCHIVE_BYTES / MIB} MiB: upload the plans in a separate artifact.`;

function refused(reason: string): OpenedArchive {
  return { plans: [], skipped: 0, unpacked_bytes: 0, refused: reason };
}

/** The key of a plan always contains artifact and path, so that it stays the same when a second plan is added. */
function toFoundPlans({ name }: ArtifactRef, { plans, refused: reason }: OpenedArchive): FoundPlan[] {
  if (reason !== null) return [{ plan_key: name, error: reason }];
  return plans.map(({ path, ...plan }) => ({ ...plan, plan_key: path === '' ? name : `${name}/${path}` }));
}

function reportUnread([first, ...others]: string[]): FoundPlan {
  const also = others.length === 0 ? '' : ` Also not read: ${listNames(others)}.`;
  const limit = `dpa reads at most ${MAX_PLANS} plans with ${MAX_UNPACKED_BYTES / MIB} MiB in total per run`;
  return { plan_key: first ?? '', error: `The artifact was not read: ${limit}.${also}` };
}

/** Makes keys unique: with slashes in job names, `a/b` with `c.json` has the same key as `a` with `b/c.json`. */
function withUniqueKeys(found: FoundPlan[]): FoundPlan[] {
  const taken = new Map<string, number>();
  return found.map((plan) => {
    const count = (taken.get(plan.plan_key) ?? 0) + 1;
    taken.set(plan.plan_key, count);
    return count === 1 ? plan : { ...plan, plan_key: `${plan.plan_key} (${count})` };
  });
}
