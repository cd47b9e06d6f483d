import type { Db } from '../../db/index.ts';
import type { Firing } from './types.ts';

const COLUMNS = [
  'id',
  'schedule_id',
  'due_at',
  'fired_at',
  'note',
  'waiting_account_ids',
  'try_at',
  'settled_at',
] as const;

/** How far the scans of a run have come. */
export interface Progress extends Firing {
  active_count: number;
  done_count: number;
  scan_count: number;
  /** Of one of its scans that failed. */
  error: string | null;
}

/** An organization of which something is due. */
export interface DueOrg {
  org_id: string;
  /** Whether it has runs that go on, besides schedules that are due. */
  has_waiting: boolean;
}

/**
 * Organizations of which something is due, drawn at random and in this order: one that waits twice as long is four times as
 * likely. So none waits for the many schedules of another or much longer than others, and schedulers that look at the same
 * time find different ones.
 *
 * @param db works across organizations
 */
export async function listDueOrgs(db: Db, now: Date, limit: number): Promise<DueOrg[]> {
  const { rows } = await db.raw(
    `select org_id, bool_or(waits) as has_waiting from (
       select org_id, next_run_at as due_at, false as waits from schedules where next_run_at <= :now
       union all
       select org_id, try_at, true from schedule_firings where try_at <= :now) due
     group by org_id
     order by ln(1 - random()) / (1 + power(extract(epoch from cast(:now as timestamptz) - min(due_at))::float8, 2)) desc limit :limit`,
    { now, limit },
  );
  return rows;
}

/** Locks runs with scans that wait for the organization's limit, those with the longest wait first. */
export async function claimWaiting(db: Db, orgId: string, now: Date, limit: number): Promise<Firing[]> {
  return db('schedule_firings')
    .where({ org_id: orgId })
    .where('try_at', '<=', now)
    .orderBy(['fired_at', 'id'])
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select(...COLUMNS);
}

/** Adds runs, unless their due time has been fired before. @returns the ids of those that were added */
export async function insertFirings(db: Db, orgId: string, firings: readonly Firing[]): Promise<Set<string>> {
  const rows = firings.map((firing) => ({ org_id: orgId, ...firing }));
  const added = await db('schedule_firings')
    .insert(rows)
    .onConflict(['schedule_id', 'due_at'])
    .ignore()
    .returning('id');
  return new Set(added.map(({ id }) => id));
}

export async function updateFiring(
  db: Db,
  orgId: string,
  id: string,
  changes: Partial<Pick<Firing, 'note' | 'waiting_account_ids' | 'try_at' | 'settled_at'>>,
): Promise<void> {
  await db('schedule_firings').where({ org_id: orgId, id }).update(changes);
}

/** Ends the wait of earlier runs of these schedules. @returns the ids of the runs */
export async function dropWaiting(db: Db, orgId: string, schedule_ids: readonly string[]): Promise<string[]> {
  const dropped = await db('schedule_firings')
    .where({ org_id: orgId })
    .whereIn('schedule_id', schedule_ids)
    .whereNotNull('try_at')
    .update({ waiting_account_ids: [], try_at: null })
    .returning('id');
  return dropped.map(({ id }) => id);
}

/** Lets the next scheduler look at all waiting runs of an organization. */
export async function wakeWaiting(db: Db, orgId: string, now: Date): Promise<void> {
  await db('schedule_firings').where({ org_id: orgId }).where('try_at', '>', now).update({ try_at: now });
}

/** The run of a scan; undefined if it has none. */
export async function findFiringOfScan(db: Db, orgId: string, scan_id: string): Promise<string | undefined> {
  const row = await db('scan_runs').where({ org_id: orgId, id: scan_id }).first('firing_id');
  return row?.firing_id ?? undefined;
}

export async function findProgress(db: Db, orgId: string, id: string): Promise<Progress | undefined> {
  const { rows } = await db.raw(
    `select ${COLUMNS.map((column) => `firing.${column}`).join(', ')}, counted.*
     from schedule_firings firing cross join lateral (
       select (count(*) filter (where status in ('pending', 'running')))::integer as active_count,
         (count(*) filter (where status = 'done'))::integer as done_count, count(*)::integer as scan_count,
         max(scan_errors -> 0 ->> 'message') filter (where status = 'error') as error
       from scan_runs where org_id = firing.org_id and firing_id = firing.id) counted
     where firing.org_id = ? and firing.id = ?`,
    [orgId, id],
  );
  return rows[0];
}

/** @param db the role that can delete expired rows @returns the number of deleted rows */
export async function deleteFirings(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('schedule_firings').where('fired_at', '<', before).whereNull('try_at').limit(limit).select('id');
  return db('schedule_firings').whereIn('id', old).delete();
}
