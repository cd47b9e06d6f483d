import { type DpaApiError, isApiError } from '../../sdk/src/index.ts';
import type { HeldPullRequest, PlanChanges, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import type { ConnectedSource } from '../ports.ts';

export interface PlanSubmitterDeps {
  now: () => Date;
}

/** What a refusal for now says of how long it lasts. */
const DEFERRABLE_STATUSES = new Set([402, 413, 429]);
const DEFAULT_WAIT_S = 600;
/** A time that our clock has passed already is not asked at again and again. */
const SHORTEST_WAIT_MS = 10_000;
const GONE = 'The plan is kept no more. Run the pipeline again.';

/** Has the service analyze plans that it keeps, as any client would, in the name of their source. */
export function createPlanSubmitter({ now }: PlanSubmitterDeps) {
  /**
   * Submits a plan that waits. What the service takes no more of for now is deferred, with its reason in words.
   *
   * @throws what a later attempt may get over
   */
  return async ({ dpa, source }: ConnectedSource, held: HeldPullRequest, plan: PullRequestPlan): Promise<void> => {
    try {
      const accepted = await dpa.call('analyzePullRequestPlan', {
        path: { id: source.org_id, plan_id: plan.id },
        headers: { 'Idempotency-Key': buildIdempotencyKey(plan) },
        retries: 0, // a refusal is told at once
      });
      const { job_id, scan_run_id } = accepted;
      await held.updatePlan(plan, { status: 'submitted', job_id, scan_run_id, due_at: null, error: null });
    } catch (error) {
      if (!isApiError(error) || isTransient(error)) throw error;
      await held.updatePlan(plan, toPlanChanges(error, now()));
    }
  };
}

/** Whoever submitted it before us may have ended in the middle of it: for a while, the service still believes them at it. */
function isTransient({ status, error_class }: DpaApiError): boolean {
  return status >= 500 || error_class === 'idempotency_in_progress';
}

/** The same for every repetition of one attempt; a plan that was deferred makes another. */
function buildIdempotencyKey({ id, run_number, due_at }: PullRequestPlan): string {
  return `${id}:${run_number}:${due_at?.getTime() ?? 0}`;
}

function toPlanChanges(error: DpaApiError, now: Date): PlanChanges {
  if (error.error_class === 'not_found') return { status: 'failed', error: GONE };
  const text = readMessage(error);
  if (!DEFERRABLE_STATUSES.has(error.status)) return { status: 'failed', error: text };
  return { status: 'deferred', error: text, due_at: computeDueAt(error, now) };
}

/** null: asking again changes nothing. */
function computeDueAt(
  { status, error_class, body, retry_after = DEFAULT_WAIT_S }: DpaApiError,
  now: Date,
): Date | null {
  if (status === 429) return clampToEarliest(now, now.getTime() + retry_after * 1_000);
  if (status === 402 && error_class === 'plan_weekly_quota_exhausted') {
    const { week_resets_at } = body as { week_resets_at?: string };
    return week_resets_at === undefined ? null : clampToEarliest(now, Date.parse(week_resets_at));
  }
  return null;
}

function clampToEarliest(now: Date, at_ms: number): Date {
  return new Date(Math.max(at_ms, now.getTime() + SHORTEST_WAIT_MS));
}

/** 402 says in `message` what all others say in `error`. */
function readMessage({ body, status, error_class }: DpaApiError): string {
  if (status === 401) return 'The key of this integration is not valid any more. Link the repository again.';
  const { message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = message ?? error;
  if (typeof text !== 'string' || error_class === 'foreign_answer') return 'The service refused the plan.';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
