import type { Db } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { ScanError } from '../scans/index.ts';
import type { CloudRun, ScanClaim } from './types.ts';

const RUN_COLUMNS = ['id', 'org_id', 'cloud_account_id', 'provider', 'filter_regions', 'read_regions'] as const;
const UNFINISHED = ['pending', 'running'];
/** The rows that a sweep handles at once. */
const BATCH = 100;

/** A scan in the table of runs. */
export interface RunRef {
  org_id: string;
  id: string;
}

/** Pending and running scans. */
export async function countUnfinished(db: Db, orgId: string): Promise<number> {
  return countRows(db('scan_runs').where({ org_id: orgId, kind: 'cloud' }).whereIn('status', UNFINISHED));
}

export async function findKind(db: Db, orgId: string, id: string): Promise<'cloud' | 'analysis' | undefined> {
  return (await db('scan_runs').where({ org_id: orgId, id }).first('kind'))?.kind;
}

/** When the nth newest bulk call after `since` was made. */
export async function findNthBulk(
  db: Db,
  orgId: string,
  { nth, since }: { nth: number; since: Date },
): Promise<Date | undefined> {
  const row = await db('scan_runs')
    .where({ org_id: orgId })
    .whereNotNull('bulk_id')
    .where('created_at', '>', since)
    .groupBy('bulk_id')
    .orderByRaw('min(created_at) desc')
    .offset(nth - 1)
    .first(db.raw('min(created_at) as at'));
  return row?.at;
}

/**
 * Claims a pending scan. Only one scan of an account runs at a time.
 *
 * @param db holds the lock of the organization
 * @returns undefined if the scan is not pending, or if another one of its account is running
 */
export async function claimRun(db: Db, { org_id, id }: RunRef, now: Date): Promise<ScanClaim | undefined> {
  const { rows } = await db.raw(
    `update scan_runs run set status = 'running', started_at = coalesce(run.started_at, ?), heartbeat_at = ?,
       attempts = run.attempts + 1, progress_at_claim = progress.total,
       idle_attempts = case when progress.total > run.progress_at_claim then 1 else run.idle_attempts + 1 end
     from (select coalesce(sum(page_count + (status = 'failed')::integer), 0) as total from scan_parts
           where org_id = ? and scan_run_id = ?) progress
     where run.org_id = ? and run.id = ? and run.kind = 'cloud' and run.status = 'pending'
       and not exists (select from scan_runs other
         where other.org_id = run.org_id and other.cloud_account_id = run.cloud_account_id
           and other.kind = 'cloud' and other.status = 'running')
     returning ${RUN_COLUMNS.map((column) => `run.${column}`).join(', ')}, run.attempts, run.idle_attempts`,
    [now, now, org_id, id, org_id, id],
  );
  return rows[0];
}

/** Whether this worker still has the scan, and its account still exists. */
export async function renewRun(db: Db, claim: ScanClaim, now: Date): Promise<boolean> {
  const { rowCount } = await db.raw(
    `update scan_runs run set heartbeat_at = ?
     where run.org_id = ? and run.id = ? and run.status = 'running' and run.attempts = ?
       and exists (select from cloud_accounts account where account.org_id = run.org_id
         and account.id = run.cloud_account_id and account.deleted_at is null)`,
    [now, claim.org_id, claim.id, claim.attempts],
  );
  return rowCount === 1;
}

/** Gives a claim back; false if it was lost. */
export async function releaseRun(db: Db, { org_id, id, attempts }: ScanClaim, now: Date): Promise<boolean> {
  const released = { status: 'pending', queued_at: now };
  return (await db('scan_runs').where({ org_id, id, status: 'running', attempts }).update(released)) === 1;
}

/** Notes what a scan reads, once; false if its claim was lost. */
export async function setReadRegions(db: Db, claim: ScanClaim, regions: readonly string[]): Promise<boolean> {
  const { org_id, id, attempts } = claim;
  const held = db('scan_runs').where({ org_id, id, status: 'running', attempts, read_regions: null });
  return (await held.update({ read_regions: [...regions] })) === 1;
}

/** Locks a scan that has not ended. @param attempts of the claim that must still hold; any if undefined */
export async function lockUnfinished(
  db: Db,
  { org_id, id }: RunRef,
  attempts: number | undefined,
): Promise<CloudRun | undefined> {
  return db('scan_runs')
    .where({ org_id, id, kind: 'cloud', ...(attempts !== undefined && { attempts, status: 'running' }) })
    .whereIn('status', UNFINISHED)
    .forUpdate()
    .first(RUN_COLUMNS);
}

export async function endRun(
  db: Db,
  { org_id, id }: RunRef,
  end: { status: 'done' | 'error'; resource_count: number; scan_errors: readonly ScanError[]; finished_at: Date },
): Promise<void> {
  await db('scan_runs')
    .where({ org_id, id })
    .update({ ...end, scan_errors: JSON.stringify(end.scan_errors) });
}

/** The scan of an account that has waited longest. */
export async function findWaiting(db: Db, orgId: string, cloud_account_id: string): Promise<string | undefined> {
  const row = await db('scan_runs')
    .where({ org_id: orgId, cloud_account_id, kind: 'cloud', status: 'pending' })
    .orderBy(['created_at', 'id'])
    .first('id');
  return row?.id;
}

/** Whether a scan of an account waits or runs. */
export async function hasUnfinished(db: Db, orgId: string, cloud_account_id: string): Promise<boolean> {
  const unfinished = db('scan_runs').where({ org_id: orgId, cloud_account_id, kind: 'cloud' });
  return (await unfinished.whereIn('status', UNFINISHED).first('id')) !== undefined;
}

/** Running scans of all organizations without a heartbeat since `before`. */
export async function listSilent(db: Db, before: Date): Promise<RunRef[]> {
  return listRuns(db, (runs) => runs.where('status', 'running').where('heartbeat_at', '<', before));
}

/** Returns a silent scan to the queue, unless it has a heartbeat again. */
export async function returnSilent(db: Db, { org_id, id }: RunRef, before: Date, now: Date): Promise<boolean> {
  const returned = { status: 'pending', queued_at: now };
  const silent = db('scan_runs').where({ org_id, id, status: 'running' }).where('heartbeat_at', '<', before);
  return (await silent.update(returned)) === 1;
}

/** Pending scans that were queued before then, so that their entry may be lost. */
export async function listForgotten(db: Db, before: Date): Promise<RunRef[]> {
  return listRuns(db, (runs) => runs.where('status', 'pending').where('queued_at', '<', before));
}

/** Notes that a pending scan is queued again. */
export async function requeue(db: Db, { org_id, id }: RunRef, before: Date, now: Date): Promise<boolean> {
  const forgotten = db('scan_runs').where({ org_id, id, status: 'pending' }).where('queued_at', '<', before);
  return (await forgotten.update({ queued_at: now })) === 1;
}

/** Scans that never started, or that no worker holds, for too long. */
export async function listOverdue(db: Db, before: { created: Date; heartbeat: Date }): Promise<RunRef[]> {
  return listRuns(db, (runs) =>
    runs.whereIn('status', UNFINISHED).where((overdue) => {
      overdue
        .where((waiting) => waiting.whereNull('started_at').where('created_at', '<', before.created))
        .orWhere('heartbeat_at', '<', before.heartbeat);
    }),
  );
}

async function listRuns(db: Db, narrow: (runs: ReturnType<Db>) => ReturnType<Db>): Promise<RunRef[]> {
  return narrow(db('scan_runs').where('kind', 'cloud')).orderBy('created_at').limit(BATCH).select('org_id', 'id');
}
