import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { AnalysisOutcome, CiContext, ScanError, ScanFilter, ScanPage, ScanRun } from './types.ts';

const COLUMNS = [
  'id',
  'org_id',
  'cloud_account_id',
  'provider',
  'scan_type',
  'status',
  'drift_status',
  'narrative_status',
  'resource_count',
  'new_count',
  'changed_count',
  'missing_count',
  'scan_errors',
  'repo_owner',
  'repo_name',
  'repo_url',
  'pr_number',
  'branch',
  'commit_sha',
  'created_at',
  'started_at',
  'finished_at',
] as const;

/** A pending analysis run. */
export async function insertAnalysisRun(
  db: Db,
  orgId: string,
  run: { scan_type: ScanRun['scan_type']; ci: CiContext; now: Date },
): Promise<ScanRun> {
  const [row] = await db('scan_runs')
    .insert({
      id: newId(),
      org_id: orgId,
      kind: 'analysis',
      scan_type: run.scan_type,
      status: 'pending',
      narrative_status: 'pending',
      created_at: run.now,
      ...run.ci,
    })
    .returning(COLUMNS);
  return row as ScanRun;
}

export async function markRunning(db: Db, orgId: string, id: string, now: Date): Promise<void> {
  await db('scan_runs')
    .where({ org_id: orgId, id })
    .whereIn('status', ['pending', 'running'])
    .update({ status: 'running', started_at: db.raw('coalesce(started_at, ?)', [now]) });
}

/** The run as it is, for a result that is about to be written. */
export async function getRun(db: Db, orgId: string, id: string): Promise<ScanRun> {
  const row = await findRun(db, orgId, id);
  if (row === undefined) throw new Error(`scan run ${id} has vanished`);
  return row;
}

export async function finishRun(
  db: Db,
  orgId: string,
  id: string,
  outcome: AnalysisOutcome & { finished_at: Date },
): Promise<void> {
  await db('scan_runs')
    .where({ org_id: orgId, id })
    .update({ ...outcome, status: 'done' });
}

export async function failRun(db: Db, orgId: string, id: string, error: ScanError, now: Date): Promise<void> {
  await db('scan_runs')
    .where({ org_id: orgId, id })
    .update({
      status: 'error',
      narrative_status: 'failed',
      scan_errors: JSON.stringify([error]),
      finished_at: now,
    });
}

export async function findRun(db: Db, orgId: string, id: string): Promise<ScanRun | undefined> {
  return db('scan_runs').where({ org_id: orgId, id }).first(COLUMNS);
}

/** The stored result as JSON text, exactly as written; null while there is none. */
export async function findResultText(db: Db, orgId: string, id: string): Promise<string | null> {
  const row = await db('scan_runs').where({ org_id: orgId, id }).first(db.raw('result_json::text as result_text'));
  return row?.result_text ?? null;
}

/** One page, newest first, and how many runs match. */
export async function listRuns(
  db: Db,
  orgId: string,
  filter: ScanFilter,
  page: ScanPage,
): Promise<{ scans: ScanRun[]; total: number }> {
  const matching = filtered(db, orgId, filter, page.since);
  const [scans, counted] = await Promise.all([
    matching
      .clone()
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(page.limit)
      .offset(page.offset)
      .select(COLUMNS),
    matching.clone().count<{ count: string }[]>('* as count'),
  ]);
  return { scans: scans as ScanRun[], total: Number(counted[0]?.count ?? 0) };
}

function filtered(db: Db, orgId: string, filter: ScanFilter, since: Date | null) {
  const { account_id, ...equal } = filter;
  const query = db('scan_runs').where({ org_id: orgId });
  for (const [column, value] of Object.entries({ ...equal, cloud_account_id: account_id })) {
    if (value !== undefined) query.where(column, value);
  }
  if (since !== null) query.where('created_at', '>', since);
  return query;
}
