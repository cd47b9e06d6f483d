import type { Db } from '../../db/index.ts';
import type { NewTrace, Trace, TraceStatus } from './types.ts';

const COLUMNS = [
  'id',
  'org_id',
  'scan_run_id',
  'kind',
  'status',
  'model',
  'input_tokens',
  'output_tokens',
  'latency_ms',
  'cached',
  'fallback',
  'prompt_version',
  'inputs',
  'error',
  'created_at',
] as const;

/** Key of a body, for code that works across organizations. */
export interface BodyOwner {
  id: string;
  org_id: string;
}

/** A pending row. */
export async function insertTrace(
  db: Db,
  orgId: string,
  { body, ...trace }: NewTrace & { id: string; created_at: Date },
): Promise<void> {
  await db('traces').insert({ ...trace, org_id: orgId, inputs: JSON.stringify(body.inputs) });
}

/** @returns false if another process has already settled it */
export async function settleTrace(db: Db, orgId: string, id: string, status: 'ready' | 'failed'): Promise<boolean> {
  const settled = await db('traces').where({ org_id: orgId, id, status: 'pending' }).update({ status });
  return settled > 0;
}

export async function findTrace(db: Db, orgId: string, id: string): Promise<Trace | undefined> {
  return db('traces').where({ org_id: orgId, id }).first(COLUMNS);
}

/** For operators, who know only the id. */
export async function findAnyTrace(platform_db: Db, id: string): Promise<Trace | undefined> {
  return platform_db('traces').where({ id }).first(COLUMNS);
}

/** The first of a scan run, oldest first. */
export async function listByScan(db: Db, orgId: string, scan_run_id: string, limit: number): Promise<Trace[]> {
  return db('traces')
    .where({ org_id: orgId, scan_run_id })
    .orderBy(['created_at', 'id'])
    .limit(limit)
    .select(COLUMNS) as Promise<Trace[]>;
}

/** @returns the number of rows that changed their status; at most `limit` */
export async function changeOld(
  db: Db,
  { from, to, before, limit }: { from: readonly TraceStatus[]; to: TraceStatus; before: Date; limit: number },
): Promise<number> {
  const old = db('traces').whereIn('status', from).where('created_at', '<', before).limit(limit).select('id');
  return db('traces').whereIn('id', old).whereIn('status', from).update({ status: to });
}

/** Up to `limit` traces whose body is no longer needed: expired, or of a failed write that has certainly ended. */
export async function listDeletableBodies(
  db: Db,
  { failed_before, except, limit }: { failed_before: Date; except: readonly string[]; limit: number },
): Promise<BodyOwner[]> {
  return db('traces')
    .where({ has_body: true })
    .whereNotIn('id', except)
    .where((deletable) =>
      deletable
        .where({ status: 'expired' })
        .orWhere((failed) => failed.where({ status: 'failed' }).where('created_at', '<', failed_before)),
    )
    .orderBy('created_at')
    .limit(limit)
    .select('id', 'org_id') as Promise<BodyOwner[]>;
}

export async function markBodyDeleted(db: Db, ids: readonly string[]): Promise<void> {
  await db('traces').whereIn('id', ids).update({ has_body: false });
}

/** Those of the ids whose body is needed or about to be written. */
export async function listLiveBodies(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await db('traces').whereIn('id', ids).whereIn('status', ['pending', 'ready']).pluck('id'));
}

/** @returns the number of deleted rows; at most `limit`. A row is kept as long as its body. */
export async function deleteOld(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('traces').where({ has_body: false }).where('created_at', '<', before).limit(limit).select('id');
  return db('traces').whereIn('id', old).delete();
}
