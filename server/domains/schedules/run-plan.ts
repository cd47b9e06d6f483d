import type { Provider } from '../scans/index.ts';
import type { FiringSchedule } from './types.ts';

/** An account as a run sees it. */
export interface RunAccount {
  id: string;
  provider: Provider;
  display_name: string;
  /** Regions that the account reads; empty for all. */
  regions: readonly string[];
  /** Why it cannot be scanned now, as a sentence part; null if it can. */
  obstacle: string | null;
}

/** A scan to start. */
export interface PlannedScan {
  account: RunAccount;
  filter_regions: readonly string[];
}

export interface RunPlan {
  /** Scans to start now. */
  start: PlannedScan[];
  /** Accounts whose scans wait for the organization's limit. */
  wait: string[];
  /** `failed`: nothing can be scanned; `skipped`: the scans of the previous run have not ended. */
  outcome: 'started' | 'waiting' | 'skipped' | 'failed';
  /** What the run does not do, for people; null if nothing. */
  note: string | null;
}

const LONGEST_NOTE = 500;
export const SKIPPED = 'skipped: previous run active';

export interface RunInput {
  schedule: Pick<FiringSchedule, 'cloud_account_id' | 'filter_regions' | 'active_account_ids'>;
  /** The accounts of the schedule that exist. */
  accounts: readonly RunAccount[];
  /** How many more scans the organization can have. */
  room: number;
}

/** Decides which scans a run starts. */
export function planRun({ schedule, accounts, room }: RunInput): RunPlan {
  const idle = accounts.filter(({ id }) => !schedule.active_account_ids.includes(id));
  const judged = idle.map((account) => ({ account, ...judge(account, schedule) }));
  const usable = judged.flatMap(({ account, obstacle, filter_regions }) =>
    obstacle === null ? [{ account, filter_regions }] : [],
  );
  const obstacles = judged.flatMap(({ obstacle }) => (obstacle === null ? [] : [obstacle]));
  const start = usable.slice(0, room);
  const wait = usable.slice(start.length).map(({ account }) => account.id);
  if (start.length > 0) return { start, wait, outcome: 'started', note: describe(obstacles) };
  if (wait.length > 0) return { start, wait, outcome: 'waiting', note: describe(obstacles) };
  if (schedule.active_account_ids.length > 0) return { start, wait, outcome: 'skipped', note: SKIPPED };
  return { start, wait, outcome: 'failed', note: describe(obstacles) ?? describeNoAccount(schedule) };
}

/** Why waiting scans have not started. */
export function describeWaiting(count: number): string {
  const scans = count === 1 ? '1 scan waits' : `${count} scans wait`;
  return `deferred: ${scans} for others to end, because the organization runs as many scans as its plan allows`;
}

export function describeMissed(missed: number): string | null {
  if (missed === 0) return null;
  const runs = missed === 1 ? '1 later run was' : `${missed >= 100 ? 'at least 100' : missed} later runs were`;
  return `${runs} missed while no scheduler was running; this run replaces them`;
}

/** Joins notes into one of bounded length; null if there is none. */
export function joinNotes(...notes: (string | null)[]): string | null {
  return (
    notes
      .filter((note) => note !== null)
      .join('; ')
      .slice(0, LONGEST_NOTE) || null
  );
}

/** A schedule of all accounts reads its regions where an account has them. */
function judge(
  { display_name, regions, obstacle }: RunAccount,
  { cloud_account_id, filter_regions }: RunInput['schedule'],
): { obstacle: string | null; filter_regions: readonly string[] } {
  const read = regions.length === 0 ? filter_regions : filter_regions.filter((region) => regions.includes(region));
  if (obstacle !== null) return { obstacle, filter_regions };
  const missing = filter_regions.find((region) => !read.includes(region));
  if (missing === undefined || (cloud_account_id === null && read.length > 0))
    return { obstacle, filter_regions: read };
  return { obstacle: `the account "${display_name}" does not read the region "${missing}"`, filter_regions };
}

function describe(obstacles: readonly string[]): string | null {
  return obstacles.length === 0 ? null : `not scanned: ${obstacles.join('; ')}`;
}

function describeNoAccount({ cloud_account_id }: RunInput['schedule']): string {
  return cloud_account_id === null
    ? 'the organization has no enabled cloud account; add or enable one'
    : 'the cloud account was deleted; choose another one';
}
