import { hash } from 'node:crypto';
import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import { newId } from '../../lib/ids.ts';
import { SCAN_RUN_FIELDS } from './record.ts';
import type {
  AnalysisOutcome,
  CiContext,
  DriftOutcome,
  LatestAnalysis,
  ListedScanRun,
  NewCloudRun,
  ScanError,
  ScanFilter,
  ScanPage,
  ScanRun,
} from './types.ts';

const LIST = 'scan_runs';

/** A pending analysis run, included in its organization's total. */
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
    .returning(SCAN_RUN_FIELDS);
  await addToTotal(db, orgId, 1);
  return row as ScanRun;
}

/** Pending scans of cloud accounts, included in their organization's total. @returns in the same order */
export async function insertCloudRuns(
  db: Db,
  orgId: string,
  runs: readonly NewCloudRun[],
  now: Date,
): Promise<ScanRun[]> {
  if (runs.length === 0) return [];
  const pending = { org_id: orgId, kind: 'cloud', status: 'pending', created_at: now, queued_at: now };
  const rows = await db('scan_runs')
    .insert(runs.map(({ ci, ...run }) => ({ ...pending, ...run, ...ci })))
    .returning(SCAN_RUN_FIELDS);
  await addToTotal(db, orgId, runs.length);
  return rows as ScanRun[];
}

async function addToTotal(db: Db, orgId: string, added: number): Promise<void> {
  await db('list_totals')
    .insert({ org_id: orgId, list: LIST, total: added })
    .onConflict(['org_id', 'list'])
    .merge({ total: db.raw('list_totals.total + excluded.total') });
}

export async function markRunning(db: Db, orgId: string, id: string, now: Date): Promise<void> {
  await db('scan_runs')
    .where({ org_id: orgId, id })
    .whereIn('status', ['pending', 'running'])
    .update({ status: 'running', started_at: db.raw('coalesce(started_at, ?)', [now]) });
}

/** A scan of a cloud account; undefined for an analysis. */
export async function findCloudRun(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ id: string; cloud_account_id: string; status: ScanRun['status'] } | undefined> {
  return db('scan_runs').where({ org_id: orgId, id, kind: 'cloud' }).first('id', 'cloud_account_id', 'status');
}

/** Stores what a comparison with states found. */
export async function updateDrift(db: Db, orgId: string, id: string, outcome: DriftOutcome): Promise<void> {
  await db('scan_runs').where({ org_id: orgId, id }).update(outcome);
}

export async function updateNarrativeStatus(
  db: Db,
  orgId: string,
  id: string,
  narrative_status: ScanRun['narrative_status'],
): Promise<void> {
  await db('scan_runs').where({ org_id: orgId, id }).update({ narrative_status });
}

/** The current run, for a result that is about to be written. */
export async function getRun(db: Db, orgId: string, id: string): Promise<ScanRun> {
  const row = await findRun(db, orgId, id);
  if (row === undefined) throw new Error(`scan run ${id} no longer exists`);
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
  return db('scan_runs').where({ org_id: orgId, id }).first(SCAN_RUN_FIELDS);
}

export async function isRun(db: Db, orgId: string, id: string): Promise<boolean> {
  return (await db('scan_runs').where({ org_id: orgId, id }).first('id')) !== undefined;
}

/** The stored result as JSON text, exactly as written; null if there is none. */
export async function findResultText(db: Db, orgId: string, id: string): Promise<string | null> {
  const row = await db('scan_runs').where({ org_id: orgId, id }).first(db.raw('result_json::text as result_text'));
  return row?.result_text ?? null;
}

/** Uses the list's index: a run ends within a day of its start, or never. */
export async function findResultTextFinishedAt(db: Db, orgId: string, at: Date): Promise<string | null> {
  const row = await db('scan_runs')
    .where({ org_id: orgId, kind: 'analysis', finished_at: at })
    .whereBetween('created_at', [new Date(at.getTime() - 86_400_000), at])
    .first(db.raw('result_json::text as result_text'));
  return row?.result_text ?? null;
}

/** The same for an analysis, with its status; undefined if there is none with this id. */
export async function findAnalysisResult(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ status: ScanRun['status']; result_text: string | null } | undefined> {
  return db('scan_runs')
    .where({ org_id: orgId, id, kind: 'analysis' })
    .first('status', db.raw('result_json::text as result_text'));
}

/** The last finished analysis of each repository that has one. @param repos `owner/name`, as in a run */
export async function listLatest(db: Db, orgId: string, repos: readonly string[]): Promise<LatestAnalysis[]> {
  const { rows } = await db.raw(
    `select wanted.repo, last.finished_at as last_analysis_at, last.risk_level as last_risk_level
     from unnest(?::text[], ?::text[]) as wanted (repo, key)
     cross join lateral (
       select s.finished_at, s.risk_level from scan_runs s
       where s.org_id = ? and s.kind = 'analysis' and s.status = 'done' and s.repo_key = wanted.key
       order by s.finished_at desc limit 1
     ) last`,
    [[...repos], repos.map((repo) => hash('md5', repo)), orgId],
  );
  return rows;
}

/** One page, newest first, and the total. */
export async function listRuns(
  db: Db,
  orgId: string,
  filter: ScanFilter,
  page: ScanPage,
): Promise<{ scans: ListedScanRun[]; total: number }> {
  const matching = filtered(db, orgId, filter, page.since);
  const [scans, total] = await Promise.all([
    takeNewest(matching, page).select(...SCAN_RUN_FIELDS, 'risk_level', jobId(db)),
    isWholeList(filter, page) ? findTotal(db, orgId) : countRows(matching),
  ]);
  return { scans: scans as ListedScanRun[], total };
}

/**
 * Deletes expired runs, and subtracts them from their organizations' totals.
 *
 * @param db a transaction of the role that can delete expired rows
 * @returns the number of deleted rows
 */
export async function deleteRuns(db: Db, ids: string[]): Promise<number> {
  const gone: { org_id: string }[] = await db('scan_runs').whereIn('id', ids).delete().returning('org_id');
  const per_org = new Map<string, number>();
  for (const { org_id } of gone) per_org.set(org_id, (per_org.get(org_id) ?? 0) + 1);
  for (const [org_id, count] of per_org) {
    await db('list_totals').where({ org_id, list: LIST }).decrement('total', count);
  }
  return gone.length;
}

/** Ended runs that are older than their organization's plan keeps them. */
export async function listExpiredRuns(db: Db, before: { free: Date; paid: Date }, limit: number): Promise<string[]> {
  return db('scan_runs as s')
    .join('orgs as o', 'o.id', 's.org_id')
    .whereIn('s.status', ['done', 'error'])
    .where('s.created_at', '<', before.free)
    .where((expired) => expired.where('o.plan', 'free').orWhere('s.created_at', '<', before.paid))
    .limit(limit)
    .pluck('s.id');
}

/** The analysis of a run; an index finds it for each row of the page. */
function jobId(db: Db) {
  return db('llm_jobs as j')
    .where({ 'j.org_id': db.ref('scan_runs.org_id'), 'j.scan_run_id': db.ref('scan_runs.id'), 'j.kind': 'analyze' })
    .limit(1)
    .select('j.id')
    .as('job_id');
}

function isWholeList(filter: ScanFilter, page: ScanPage): boolean {
  return page.since === null && Object.values(filter).every((value) => value === undefined);
}

async function findTotal(db: Db, orgId: string): Promise<number> {
  const row = await db('list_totals').where({ org_id: orgId, list: LIST }).first('total');
  return Number(row?.total ?? 0);
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
