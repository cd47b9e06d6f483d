import { createHash } from 'node:crypto';
import { createAnalysis, type PlanAnalysis, PlanError } from '../../../engine/index.ts';
import { DpaConnectionError, DpaError, DpaJobError, DpaTimeoutError } from '../../../sdk/src/index.ts';
import type { CiJob } from '../ci-context.ts';
import type { Connection } from '../connection.ts';
import type { SubmittedPlan } from './types.ts';

/** The service takes no more of it for now, or never takes one that large: see openapi.yaml, analyzePlan. */
const NOT_TAKEN = new Set([402, 413, 429]);

/** Sends one plan. What the service does not take is judged on this machine. */
export async function submitPlan(
  { dpa, org_id }: Connection,
  { path, plan, job }: { path: string; plan: Uint8Array; job: CiJob },
): Promise<SubmittedPlan> {
  const { ci } = job;
  const key = attemptKey(job, path, plan);
  try {
    const attempt = key === null ? {} : { idempotency_key: key };
    const accepted = await dpa.analyze({ org_id, plan, ci, ...attempt, wait: false });
    const { job_id, scan_run_id } = accepted;
    return { ...NOTHING, path, state: 'queued', job_id, scan_run_id };
  } catch (error) {
    if (error instanceof DpaError && NOT_TAKEN.has(error.status)) return judgeHere(path, plan, error);
    return failed({ ...NOTHING, path }, error);
  }
}

/** Waits for a plan that is queued; others are as they are. */
export async function awaitPlan(
  { dpa, org_id }: Connection,
  plan: SubmittedPlan,
  timeout_ms: number,
): Promise<SubmittedPlan> {
  if (plan.state !== 'queued' || plan.job_id === null) return plan;
  try {
    const { result } = await dpa.waitForJob({ org_id, job_id: plan.job_id, timeout_ms });
    // What an analysis makes; a later service may say more than this command knows.
    return { ...plan, state: 'done', result: result as PlanAnalysis };
  } catch (error) {
    return failed(plan, error);
  }
}

const NOTHING = { job_id: null, scan_run_id: null, note: null, retry_at: null, result: null };

function judgeHere(path: string, plan: Uint8Array, refusal: DpaError): SubmittedPlan {
  try {
    const analysis = createAnalysis();
    analysis.write(plan);
    const result = analysis.end();
    return { ...NOTHING, path, state: 'deferred', note: refusal.message, retry_at: retryAt(refusal), result };
  } catch (error) {
    return failed({ ...NOTHING, path }, error);
  }
}

function failed(plan: Omit<SubmittedPlan, 'state'>, error: unknown): SubmittedPlan {
  return { ...plan, state: 'failed', note: noteOf(error) };
}

/** @throws what is a fault of this program, or concerns every plan alike */
function noteOf(error: unknown): string {
  const unanswered = error instanceof DpaConnectionError || error instanceof DpaJobError;
  if (unanswered || error instanceof PlanError) return error.message;
  if (error instanceof DpaError && ![401, 403, 404].includes(error.status)) return error.message;
  if (error instanceof DpaTimeoutError) {
    return error.job_id === undefined ? error.message : `${error.message}; \`dpa jobs ${error.job_id} --wait\` goes on`;
  }
  throw error;
}

function retryAt({ status, error_class, body, retry_after }: DpaError): string | null {
  if (status === 429 && retry_after !== undefined) return new Date(Date.now() + retry_after * 1_000).toISOString();
  if (error_class !== 'plan_weekly_quota_exhausted') return null;
  return (body as { week_resets_at?: string }).week_resets_at ?? null;
}

/** One attempt of a job sends one plan once, however often its step is repeated with the same credential. */
function attemptKey({ attempt, ci }: CiJob, path: string, plan: Uint8Array): string | null {
  if (attempt === null) return null;
  const hash = createHash('sha256');
  for (const part of [attempt, path, JSON.stringify(ci)]) hash.update(part).update('\0');
  return `dpa-cli-${hash.update(plan).digest('hex')}`;
}
