import { type DpaApiError, isApiError } from '../../sdk/src/index.ts';
import type { HeldPullRequest, PlanChanges, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import { NOTES } from '../notes.ts';
import type { ConnectedSource } from '../ports.ts';

export interface PlanSubmitterDeps {
  now: () => Date;
}

/** Rejections that can be temporary. */
const DEFERRABLE_STATUSES = new Set([402, 413, 429]);
const DEFAULT_WAIT_S = 600;
/** Minimum wait, also if the given time has already passed on our clock. */
const SHORTEST_WAIT_MS = 10_000;

/** Submits stored plans to the service, like any other client, with the API key of their source. */
export function createPlanSubmitter({ now }: PlanSubmitterDeps) {
  /**
   * Submits a waiting plan. If the service rejects it for now, the plan is deferred with the reason.
   *
   * @throws errors that a retry can resolve
   */
  return async ({ org_id, dpa }: ConnectedSource, held: HeldPullRequest, plan: PullRequestPlan): Promise<void> => {
    try {
      const accepted = await dpa.call('analyzePullRequestPlan', {
        path: { id: org_id, plan_id: plan.id },
        headers: { 'Idempotency-Key': buildIdempotencyKey(plan) },
        retries: 0, // a rejection is published immediately
      });
      const { job_id, scan_run_id } = accepted;
      await held.updatePlan(plan, { status: 'submitted', job_id, scan_run_id, due_at: null, error: null });
    } catch (error) {
      if (!isApiError(error) || isTransient(error)) throw error;
      await held.updatePlan(plan, toPlanChanges(error, now()));
    }
  };
}

/** A process that crashed while it submitted the plan still holds the idempotency key for a short time. */
function isTransient({ status, error_class }: DpaApiError): boolean {
  return status >= 500 || error_class === 'idempotency_in_progress';
}

/** The same for every retry of one attempt; a deferred plan starts a new attempt. */
function buildIdempotencyKey({ id, run_number, due_at }: PullRequestPlan): string {
  return `${id}:${run_number}:${due_at?.getTime() ?? 0}`;
}

function toPlanChanges(error: DpaApiError, now: Date): PlanChanges {
  if (error.error_class === 'not_found') return { status: 'failed', error: NOTES.plan_expired };
  const text = readMessage(error);
  if (!DEFERRABLE_STATUSES.has(error.status)) return { status: 'failed', error: text };
  return { status: 'deferred', error: text, due_at: computeDueAt(error, now) };
}

/** Returns null if another attempt cannot succeed. */
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

/** A 402 response has its text in `message`, all others in `error`. */
function readMessage({ body, status, error_class }: DpaApiError): string {
  if (status === 401) return NOTES.api_key_invalid;
  const { message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = message ?? error;
  if (typeof text !== 'string' || error_class === 'foreign_answer') return NOTES.plan_rejected;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
