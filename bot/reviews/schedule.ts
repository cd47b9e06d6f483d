import { isByBuiltinRules } from '../../engine/index.ts';
import type { PullRequest, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import type { PlanWithOutcome } from './compose.ts';

/** The comment waits this long for the last plan; then it shows the available plans. */
const MAX_WAIT_MS = 20_000;
/** The comment about the previous commit stays unchanged this long, because the pipeline of the new commit is probably running. */
const STALE_AFTER_MS = 600_000;
/** The rules of the organization are read again after this time. */
const RULES_RETRY_MS = 60_000;

type Head = Pick<PullRequest, 'state' | 'head_sha'>;

/** Whether a plan is to be submitted. Only plans of the newest commit are analyzed. */
export function isDue({ state, head_sha }: Head, plan: PullRequestPlan, now: Date): boolean {
  if (state !== 'open' || plan.head_sha !== head_sha) return false;
  return plan.status === 'waiting' || (plan.status === 'deferred' && plan.due_at !== null && plan.due_at <= now);
}

/** When the pull request needs another round, even without an event; null = never. */
export function computeNextRound(head: Head, outcomes: readonly PlanWithOutcome[], now: Date): Date | null {
  if (head.state !== 'open') return null;
  const newest = outcomes.filter(({ plan }) => plan.head_sha === head.head_sha);
  const times = newest.flatMap(({ plan }) =>
    plan.status === 'deferred' && plan.due_at !== null ? [plan.due_at.getTime()] : [],
  );
  if (newest.some(({ outcome }) => isByBuiltinRules(outcome))) times.push(now.getTime() + RULES_RETRY_MS);
  // A plan whose result expired before it was published has to be submitted again.
  if (newest.some(({ plan }) => isDue(head, plan, now))) times.push(now.getTime() + MAX_WAIT_MS);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/**
 * When the comment can be edited: once for all plans of a push, and not if the next minutes would revert the edit.
 *
 * @returns milliseconds since the epoch; 0 = now; Infinity = only after another event
 */
export function computeCommentTime(
  { state, head_sha, head_changed_at }: Head & Pick<PullRequest, 'head_changed_at'>,
  outcomes: readonly PlanWithOutcome[],
): number {
  if (state !== 'open' || outcomes.length === 0) return 0;
  const waiting = outcomes.filter(({ outcome }) => outcome.state === 'waiting');
  // Nothing can be published yet: the end of a job enqueues the pull request again.
  if (waiting.length === outcomes.length) return Number.POSITIVE_INFINITY;
  const is_stale = outcomes.every(({ plan }) => plan.head_sha !== head_sha);
  if (is_stale) return head_changed_at.getTime() + STALE_AFTER_MS;
  return waiting.length === 0 ? 0 : Math.min(...waiting.map(({ plan }) => plan.created_at.getTime())) + MAX_WAIT_MS;
}
