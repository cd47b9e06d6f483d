import type { Db } from '../../db/index.ts';

/** A scan whose drift is to be computed. */
export interface RequestRef {
  org_id: string;
  /** ID of the scan. */
  id: string;
}

export interface StoredRequest {
  attempts: number;
  /** Set when its attempts are used up. */
  failed_at: Date | null;
  /** The reason of the last failure, for people. */
  error: string | null;
}

/** The requests that a sweep handles at once. */
const BATCH = 100;

/** Adds a request; the second one of a scan has no effect. @returns whether it was added */
export async function insertRequest(db: Db, { org_id, id }: RequestRef, now: Date): Promise<boolean> {
  const { rowCount } = await db.raw(
    `insert into drift_requests (org_id, scan_run_id, queued_at) values (?, ?, ?)
     on conflict (org_id, scan_run_id) do nothing`,
    [org_id, id, now],
  );
  return rowCount === 1;
}

export async function findRequest(db: Db, { org_id, id }: RequestRef): Promise<StoredRequest | undefined> {
  return db('drift_requests').where({ org_id, scan_run_id: id }).first('attempts', 'failed_at', 'error');
}

/** Counts an attempt. @returns its number; undefined if nothing is requested any more */
export async function beginAttempt(db: Db, { org_id, id }: RequestRef, now: Date): Promise<number | undefined> {
  const [row] = await db('drift_requests')
    .where({ org_id, scan_run_id: id, failed_at: null })
    .update({ attempts: db.raw('attempts + 1'), queued_at: now })
    .returning('attempts');
  return row?.attempts;
}

/** @param failed_at null if another attempt follows */
export async function noteFailure(
  db: Db,
  { org_id, id }: RequestRef,
  { error, failed_at }: { error: string; failed_at: Date | null },
): Promise<void> {
  await db('drift_requests').where({ org_id, scan_run_id: id }).update({ error, failed_at });
}

export async function deleteRequest(db: Db, { org_id, id }: RequestRef): Promise<void> {
  await db('drift_requests').where({ org_id, scan_run_id: id }).delete();
}

/** Requests of all organizations that were queued before then, so that their entry or worker may be lost. */
export async function listForgotten(db: Db, before: Date): Promise<RequestRef[]> {
  return db('drift_requests')
    .whereNull('failed_at')
    .where('queued_at', '<', before)
    .orderBy('queued_at')
    .limit(BATCH)
    .select('org_id', 'scan_run_id as id');
}

/** Notes that a request is queued again. @returns false if somebody else did, or it has ended */
export async function requeue(db: Db, { org_id, id }: RequestRef, before: Date, now: Date): Promise<boolean> {
  const forgotten = db('drift_requests').where({ org_id, scan_run_id: id, failed_at: null });
  return (await forgotten.where('queued_at', '<', before).update({ queued_at: now })) === 1;
}
