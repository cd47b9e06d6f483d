import type { PlanSnapshot } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import type { KnownPlan, PlanRow } from './plan-rows.ts';
import type { KeptPullRequestPlan, PlanChanges, PullRequestPlan } from './types.ts';

const REPLACED = [
  'id',
  'run_id',
  'run_number',
  'run_url',
  'plan_hash',
  'status',
  'payload_key',
  'job_id',
  'scan_run_id',
  'due_at',
  'error',
  'snapshot',
  'created_at',
  'finished_at',
] as const;

/** The plans that plans of this commit would replace, and equal plans, newest run first. */
export async function listKnown(
  db: Db,
  orgId: string,
  pull_request_id: string,
  { head_sha, hashes }: { head_sha: string; hashes: string[] },
): Promise<KnownPlan[]> {
  return db('pull_request_plans')
    .where({ org_id: orgId, pull_request_id })
    .where((known) => known.where({ head_sha }).orWhereIn('plan_hash', hashes))
    .orderBy([
      { column: 'run_number', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select(
      'plan_key',
      'head_sha',
      runNumber(db),
      'plan_hash',
      'status',
      'payload_key',
      'job_id',
      'scan_run_id',
    ) as Promise<KnownPlan[]>;
}

/** Each replaces the existing plan with its key and commit. */
export async function upsertPlans(
  db: Db,
  orgId: string,
  pull_request_id: string,
  plans: readonly PlanRow[],
  now: Date,
): Promise<void> {
  const rows = plans.map((plan) => ({
    ...plan,
    org_id: orgId,
    pull_request_id,
    due_at: null,
    snapshot: null,
    created_at: now,
    finished_at: plan.status === 'failed' ? now : null,
  }));
  await db('pull_request_plans')
    .insert(rows)
    .onConflict(['org_id', 'pull_request_id', 'plan_key', 'head_sha'])
    .merge([...REPLACED]);
}

/**
 * Supersedes plans of other commits than the shown one that were not submitted yet, except those of newer runs: the
 * caller may have asked the host about an older commit before the newer one was pushed.
 *
 * @returns the keys of their bytes
 */
export async function supersedeOthers(db: Db, orgId: string, pull_request_id: string, now: Date): Promise<string[]> {
  const others = db('pull_request_plans')
    .where({ org_id: orgId, pull_request_id })
    .whereIn('status', ['waiting', 'deferred'])
    .whereNot('head_sha', shownCommit(db, orgId, pull_request_id))
    .where('run_number', '<', newestShown(db, orgId, pull_request_id))
    .forUpdate()
    .select('id', 'payload_key');
  const { rows } = await db.raw(
    `with others as (?)
     update pull_request_plans as plans set status = 'superseded', payload_key = null, finished_at = ?
     from others where plans.org_id = ? and plans.id = others.id
     returning others.payload_key`,
    [others, now, orgId],
  );
  return rows.flatMap(({ payload_key }: { payload_key: string | null }) => payload_key ?? []);
}

/** Those of the head commit, by key; if it has none, of the latest commit with plans. */
export async function listShown(db: Db, orgId: string, pull_request_id: string): Promise<PullRequestPlan[]> {
  return db('pull_request_plans')
    .where({ org_id: orgId, pull_request_id })
    .whereNot({ status: 'superseded' })
    .where('head_sha', shownCommit(db, orgId, pull_request_id))
    .orderBy('plan_key')
    .select(
      'id',
      'plan_key',
      'head_sha',
      'run_id',
      runNumber(db),
      'run_url',
      'plan_hash',
      'status',
      'job_id',
      'scan_run_id',
      'due_at',
      'error',
      'snapshot',
      'created_at',
    ) as Promise<PullRequestPlan[]>;
}

/** The plan and its pull request; undefined if its bytes are no longer stored. */
export async function findKeptPlan(db: Db, orgId: string, id: string): Promise<KeptPullRequestPlan | undefined> {
  return db('pull_request_plans as plans')
    .join('pull_requests as of', (on) => on.on('of.org_id', 'plans.org_id').andOn('of.id', 'plans.pull_request_id'))
    .where({ 'plans.org_id': orgId, 'plans.id': id })
    .whereNotNull('plans.payload_key')
    .first('plans.id', 'plans.head_sha', 'of.repo', 'of.url', 'of.pr_number', 'of.branch') as Promise<
    KeptPullRequestPlan | undefined
  >;
}

/** By key: the result of the newest plan of another commit. */
export async function listPrevious(
  db: Db,
  orgId: string,
  pull_request_id: string,
  head_sha: string,
): Promise<Map<string, PlanSnapshot>> {
  const rows: { plan_key: string; snapshot: PlanSnapshot }[] = await db('pull_request_plans')
    .where({ org_id: orgId, pull_request_id })
    .whereNot({ head_sha })
    .whereNotNull('snapshot')
    .distinctOn('plan_key')
    .orderBy(['plan_key', { column: 'run_number', order: 'desc' }, { column: 'id', order: 'desc' }])
    .select('plan_key', 'snapshot');
  return new Map(rows.map(({ plan_key, snapshot }) => [plan_key, snapshot]));
}

/**
 * Serializes with the end of a job: after this transaction, either the end is visible, or the process that ends the job
 * sees what was written here.
 */
export async function holdJob(db: Db, orgId: string, job_id: string): Promise<void> {
  await db('llm_jobs').where({ org_id: orgId, id: job_id }).forShare().first('id');
}

/** Skips a row that got another plan in the meantime, or was superseded. */
export async function updatePlan(
  db: Db,
  orgId: string,
  id: string,
  { snapshot, ...columns }: PlanChanges,
  finished_at: Date | null,
): Promise<void> {
  await db('pull_request_plans')
    .where({ org_id: orgId, id })
    .whereNot({ status: 'superseded' })
    .update({
      ...columns,
      ...(snapshot === undefined ? {} : { snapshot: snapshot === null ? null : JSON.stringify(snapshot) }),
      finished_at,
      ...(finished_at === null ? {} : { payload_key: null }),
    });
}

/** Which of these keys belong to a plan. */
export async function listLivePayloads(sweep_db: Db, keys: readonly string[]): Promise<Set<string>> {
  return new Set(await sweep_db('pull_request_plans').whereIn('payload_key', keys).pluck('payload_key'));
}

function shownCommit(db: Db, orgId: string, pull_request_id: string) {
  return db('pull_request_plans as shown')
    .join('pull_requests as of', (on) => on.on('of.org_id', 'shown.org_id').andOn('of.id', 'shown.pull_request_id'))
    .where({ 'shown.org_id': orgId, 'shown.pull_request_id': pull_request_id })
    .whereNot({ 'shown.status': 'superseded' })
    .orderByRaw('shown.head_sha = of.head_sha desc, shown.run_number desc, shown.id desc')
    .limit(1)
    .select('shown.head_sha');
}

function newestShown(db: Db, orgId: string, pull_request_id: string) {
  return db('pull_request_plans')
    .where({ org_id: orgId, pull_request_id })
    .where('head_sha', shownCommit(db, orgId, pull_request_id))
    .max('run_number');
}

/** Run numbers exceed 32 bits, but are far below 2^53. */
function runNumber(db: Db) {
  return db.raw('run_number::float8 as run_number');
}
