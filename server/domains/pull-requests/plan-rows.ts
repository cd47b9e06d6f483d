import { payloadKey } from './payload.ts';
import type { FoundPlan, PlanRun, PullRequestPlan } from './types.ts';

/** In the form of the column. */
const MAX_URL = 2_000;

/** The existing data of a plan when a newer one is found. */
export type KnownPlan = Pick<
  PullRequestPlan,
  'plan_key' | 'head_sha' | 'run_number' | 'plan_hash' | 'status' | 'job_id' | 'scan_run_id'
> & { payload_key: string | null };

/** A found plan with its storage key. */
export type KeptPlan = FoundPlan & { id: string };

/** A new row of a run. */
export type PlanRow = Omit<PullRequestPlan, 'due_at' | 'snapshot' | 'created_at'> & { payload_key: string | null };

export interface PlanRows {
  rows: PlanRow[];
  /** Storage keys that no row refers to any more. */
  unneeded: string[];
}

/**
 * The rows that a run adds or replaces. A plan of an older run never replaces that of a newer one.
 *
 * @param known newest run first
 * @param again the same run can replace its own rows, and no result is reused
 */
export function planRows(
  orgId: string,
  run: PlanRun,
  kept: readonly KeptPlan[],
  known: readonly KnownPlan[],
  again: boolean,
): PlanRows {
  const rows: PlanRow[] = [];
  const unneeded: string[] = [];
  for (const plan of kept) {
    const before = known.find(({ plan_key, head_sha }) => plan_key === plan.plan_key && head_sha === run.head_sha);
    if (before === undefined || isReplacedBy(before, run, again)) {
      rows.push(toPlanRow(orgId, run, plan, again ? undefined : findEqualPlan(plan, known)));
      if (before?.payload_key != null) unneeded.push(before.payload_key);
    } else if (plan.payload !== undefined) unneeded.push(payloadKey(orgId, plan.id));
  }
  return { rows, unneeded };
}

function isReplacedBy({ run_number }: KnownPlan, { number }: PlanRun, again: boolean): boolean {
  return number > run_number || (again && number === run_number);
}

/** An equal plan with a job, whose result is reused. */
function findEqualPlan({ plan_hash }: KeptPlan, known: readonly KnownPlan[]): KnownPlan | undefined {
  if (plan_hash === undefined) return undefined;
  return known.find(
    (plan) =>
      plan.plan_hash === plan_hash && plan.job_id !== null && (plan.status === 'done' || plan.status === 'submitted'),
  );
}

function toPlanRow(orgId: string, run: PlanRun, plan: KeptPlan, equal_plan: KnownPlan | undefined): PlanRow {
  const { id, plan_key, plan_hash = null, error = null } = plan;
  const { id: run_id, number: run_number, head_sha, url } = run;
  const run_url = url.length <= MAX_URL ? url : null;
  const shared = { id, plan_key, head_sha, run_id, run_number, run_url, plan_hash, error };
  const { job_id = null, scan_run_id = null } = equal_plan ?? {};
  if (error !== null) return { ...shared, status: 'failed', payload_key: null, job_id, scan_run_id };
  const status = equal_plan === undefined ? 'waiting' : 'submitted';
  return { ...shared, status, payload_key: payloadKey(orgId, id), job_id, scan_run_id };
}
