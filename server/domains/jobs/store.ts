import type { Db } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { Reservation } from '../llm/index.ts';
import type { Claim, JobKind, LlmJob } from './types.ts';

const COLUMNS = [
  'id',
  'org_id',
  'kind',
  'status',
  'scan_run_id',
  'payload_key',
  'subject',
  'error',
  'error_class',
  'attempts',
  'created_at',
  'finished_at',
] as const;

/** A job to insert, and the quota reserved for it. */
export interface NewJob {
  id: string;
  kind: JobKind;
  scan_run_id: string | null;
  payload_key: string | null;
  subject: string | null;
  /** Null if nobody asked for it. */
  created_by: string | null;
  reservation: Reservation | null;
  now: Date;
}

/** Jobs of an org, submitted since then, that have not ended. */
export async function countUnfinished(db: Db, orgId: string, since: Date): Promise<number> {
  return countRows(
    db('llm_jobs').where({ org_id: orgId }).where('created_at', '>', since).whereIn('status', ['pending', 'running']),
  );
}

export async function insertJob(db: Db, orgId: string, job: NewJob): Promise<void> {
  const { now, reservation, ...columns } = job;
  await db('llm_jobs').insert({
    ...columns,
    ...reservation,
    org_id: orgId,
    status: 'pending',
    created_at: now,
    heartbeat_at: now,
  });
}

export async function findJob(db: Db, orgId: string, id: string): Promise<LlmJob | undefined> {
  return db('llm_jobs').where({ org_id: orgId, id }).first(COLUMNS);
}

/** Claims a pending job; undefined if it is not pending. */
export async function claimJob(db: Db, orgId: string, id: string, now: Date): Promise<Claim | undefined> {
  const [row] = await db('llm_jobs')
    .where({ org_id: orgId, id, status: 'pending' })
    .update({
      status: 'running',
      attempts: db.raw('attempts + 1'),
      started_at: db.raw('coalesce(started_at, ?)', [now]),
      heartbeat_at: now,
    })
    .returning(COLUMNS);
  return row as Claim | undefined;
}

/** Whether this worker still has the claim; false if another one took the job. */
export async function renewHeartbeat(db: Db, claim: Claim, now: Date): Promise<boolean> {
  return (await whereClaimed(db, claim).update({ heartbeat_at: now })) === 1;
}

/** Ends the job; false if the claim was lost, in which case the worker must not write anything. */
export async function finishJob(
  db: Db,
  claim: Claim,
  end: { status: 'done'; result: string | null } | { status: 'error'; error: string; error_class: string },
  now: Date,
): Promise<boolean> {
  const changed = await whereClaimed(db, claim).update({
    ...end,
    payload_key: null,
    finished_at: now,
    heartbeat_at: now,
  });
  return changed === 1;
}

/** Result of a job that is stored in its own row, as JSON text. */
export async function findResult(db: Db, orgId: string, id: string): Promise<string | null> {
  const row = await db('llm_jobs').where({ org_id: orgId, id }).first(db.raw('result::text as text'));
  return row?.text ?? null;
}

/** Releases the claim for a later attempt. */
export async function releaseJob(db: Db, claim: Claim, now: Date): Promise<void> {
  await whereClaimed(db, claim).update({ status: 'pending', heartbeat_at: now });
}

/**
 * Jobs that no worker processes: running ones without a heartbeat become pending again, and pending ones with a
 * possibly lost queue entry are returned again. At most 100 per call; the caller requeues them in the same transaction.
 */
export async function requeueStalled(
  db: Db,
  before: { running: Date; pending: Date },
  max_attempts: number,
  now: Date,
): Promise<{ id: string; org_id: string }[]> {
  const stalled = db('llm_jobs')
    .where((job) =>
      job
        .where((silent) =>
          silent
            .where('status', 'running')
            .where('heartbeat_at', '<', before.running)
            .where('attempts', '<', max_attempts),
        )
        .orWhere((waiting) => waiting.where('status', 'pending').where('heartbeat_at', '<', before.pending)),
    )
    .limit(100)
    .forUpdate()
    .skipLocked()
    .select('id');
  return db('llm_jobs')
    .whereIn('id', stalled)
    .update({ status: 'pending', heartbeat_at: now })
    .returning(['id', 'org_id']);
}

/** Lost jobs that have used all their attempts; at most 100. */
export async function listExhausted(db: Db, silent_before: Date, max_attempts: number): Promise<Claim[]> {
  return db('llm_jobs')
    .where('status', 'running')
    .where('heartbeat_at', '<', silent_before)
    .where('attempts', '>=', max_attempts)
    .limit(100)
    .select(COLUMNS);
}

/** Deletes up to 1,000 ended jobs of all organizations that are older than `before`. */
export async function deleteEndedJobs(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('llm_jobs')
    .whereIn('status', ['done', 'error'])
    .where('created_at', '<', before)
    .limit(limit)
    .select('id');
  return db('llm_jobs').whereIn('id', old).delete();
}

/** Which of these payloads belong to an unfinished job. */
export async function listLivePayloads(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const rows: { payload_key: string }[] = await db('llm_jobs').whereIn('payload_key', keys).select('payload_key');
  return new Set(rows.map((row) => row.payload_key));
}

function whereClaimed(db: Db, claim: Claim) {
  return db('llm_jobs').where({ org_id: claim.org_id, id: claim.id, status: 'running', attempts: claim.attempts });
}
