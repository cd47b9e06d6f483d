import { createHash } from 'node:crypto';
import { createAnalysis, type PlanAnalysis, PlanError } from '../../../engine/index.ts';
import type { OrgRules } from '../../../engine/rules/index.ts';
import { DpaApiError, DpaConnectionError, DpaJobError, DpaTimeoutError, type Schemas } from '../../../sdk/src/index.ts';
import type { CiJob } from '../ci-context.ts';
import type { Connection } from '../connection.ts';
import type { SubmittedPlan } from './types.ts';

/** The service rejects the plan because of a quota, a rate limit or its size: see openapi.yaml, analyzePlan. */
const DEFERRABLE_STATUSES = new Set([402, 413, 429]);

/** A plan and the CI job that created it. */
interface JobPlan {
  path: string;
  plan: Uint8Array;
  job: CiJob;
}

/** Sends one plan. If the service rejects it, analyzes it on this machine with the rules of the organization. */
export async function submitPlan(
  { dpa, org_id }: Connection,
  { path, plan, job }: JobPlan,
  readRuleBook: ReadRuleBook,
): Promise<SubmittedPlan> {
  const { ci } = job;
  const key = computeAttemptKey(job, path, plan);
  try {
    const attempt = key === null ? {} : { idempotency_key: key };
    const accepted = await dpa.analyze({ org_id, plan, ci, ...attempt, wait: false });
    const { job_id, scan_run_id } = accepted;
    return { ...EMPTY_RESULT, path, state: 'queued', job_id, scan_run_id };
  } catch (error) {
    if (error instanceof DpaApiError && DEFERRABLE_STATUSES.has(error.status))
      return judgeLocally({ path, plan, job }, error, readRuleBook);
    return toFailedPlan({ ...EMPTY_RESULT, path }, error);
  }
}

/** Waits for a queued plan; returns any other plan unchanged. */
export async function awaitPlan(
  { dpa, org_id }: Connection,
  plan: SubmittedPlan,
  timeout_ms: number,
): Promise<SubmittedPlan> {
  if (plan.state !== 'queued' || plan.job_id === null) return plan;
  try {
    const { result } = await dpa.waitForJob({ org_id, job_id: plan.job_id, kind: 'analyze', timeout_ms });
    // A later service can return more members than this command knows.
    return { ...plan, state: 'done', result: result as PlanAnalysis };
  } catch (error) {
    return toFailedPlan(plan, error);
  }
}

const EMPTY_RESULT = { job_id: null, scan_run_id: null, note: null, retry_at: null, result: null };

type RuleBook = Schemas['RuleBook'];
export type ReadRuleBook = () => Promise<RuleBook>;

/** Reads the rules of the organization, once for all plans. */
export function createRuleBookReader({ dpa, org_id }: Connection): ReadRuleBook {
  let book: Promise<RuleBook> | undefined;
  return () => {
    book ??= dpa.call('getRuleBook', { path: { id: org_id } });
    return book;
  };
}

/** A verdict needs the rules of the organization: if they cannot be read, the plan has failed. */
async function judgeLocally(
  { path, plan, job }: JobPlan,
  refusal: DpaApiError,
  readRuleBook: ReadRuleBook,
): Promise<SubmittedPlan> {
  const unjudged = { ...EMPTY_RESULT, path };
  let book: RuleBook;
  try {
    book = await readRuleBook();
  } catch (error) {
    const { note, ...rest } = toFailedPlan(unjudged, error);
    return { ...rest, note: `${refusal.message}; the rules of the organization could not be read either: ${note}` };
  }
  try {
    const result = await judgeWithRules(book, plan, job);
    return { ...unjudged, state: 'deferred', note: refusal.message, retry_at: computeRetryAt(refusal), result };
  } catch (error) {
    return toFailedPlan(unjudged, error);
  }
}

async function judgeWithRules(book: RuleBook, plan: Uint8Array, { ci }: CiJob): Promise<PlanAnalysis> {
  const { compileRules } = await import('../../../engine/rules/index.ts');
  const { documentParsers } = await import('../../../engine/documents/index.ts');
  const { fingerprint_key, ...rules } = book;
  const repo = ci.repo_owner && ci.repo_name ? `${ci.repo_owner}/${ci.repo_name}` : null;
  const context = { repo, branch: ci.branch ?? null, now: new Date() };
  const analysis = createAnalysis({
    book: compileRules(rules as OrgRules, context),
    noise_key: Buffer.from(fingerprint_key, 'base64'),
    parsers: () => documentParsers,
  });
  analysis.write(plan);
  return analysis.end();
}

function toFailedPlan(plan: Omit<SubmittedPlan, 'state'>, error: unknown): SubmittedPlan {
  return { ...plan, state: 'failed', note: describeFailure(error) };
}

/** @throws bugs of this program, and errors that concern every plan */
function describeFailure(error: unknown): string {
  const unanswered = error instanceof DpaConnectionError || error instanceof DpaJobError;
  if (unanswered || error instanceof PlanError) return error.message;
  if (error instanceof DpaApiError && ![401, 403, 404].includes(error.status)) return error.message;
  if (error instanceof DpaTimeoutError) {
    return error.job_id === undefined
      ? error.message
      : `${error.message}; run \`dpa jobs ${error.job_id} --wait\` to keep waiting`;
  }
  throw error;
}

function computeRetryAt({ status, error_class, body, retry_after }: DpaApiError): string | null {
  if (status === 429 && retry_after !== undefined) return new Date(Date.now() + retry_after * 1_000).toISOString();
  if (error_class !== 'plan_weekly_quota_exhausted') return null;
  return (body as { week_resets_at?: string }).week_resets_at ?? null;
}

/** Makes one attempt of a job send a plan only once, even if its step is repeated with the same credential. */
function computeAttemptKey({ attempt, ci }: CiJob, path: string, plan: Uint8Array): string | null {
  if (attempt === null) return null;
  const hash = createHash('sha256');
  for (const part of [attempt, path, JSON.stringify(ci)]) hash.update(part).update('\0');
  return `dpa-cli-${hash.update(plan).digest('hex')}`;
}
