import { type DpaError, isDpaError } from '../../sdk/src/index.ts';
import type {
  HeldPullRequest,
  PlanChanges,
  PullRequest,
  PullRequestPlan,
} from '../../server/domains/pull-requests/index.ts';
import { createConcurrencyLimit } from '../../server/lib/concurrency-limit.ts';
import type { ConnectedSource } from '../ports.ts';

export interface SubmitDeps {
  /** The JSON text of a plan that was pruned and compressed. */
  planText(payload: Uint8Array): Promise<string>;
  now: () => Date;
}

/** What a refusal for now says of how long it lasts. */
const NOT_FOR_NOW = new Set([402, 413, 429]);
const DEFAULT_WAIT_S = 600;
/** A time that our clock has passed already is not asked at again and again. */
const SHORTEST_WAIT_MS = 10_000;
/** Of all pull requests together: a plan unpacked and on its way takes several times its size in memory. */
const SUBMITTED_AT_ONCE = 4;
const GONE = 'The plan is kept no more. Run the pipeline again.';

/** Puts plans to the service as anybody would, in the name of their source. */
export function createSubmit({ planText, now }: SubmitDeps) {
  const limit = createConcurrencyLimit(SUBMITTED_AT_ONCE);

  /**
   * Submits a plan that waits. What the service takes no more of for now is deferred, with its reason in words.
   *
   * @throws what a later attempt may get over
   */
  return (connected: ConnectedSource, held: HeldPullRequest, plan: PullRequestPlan): Promise<void> =>
    limit(() => submit(connected, held, plan));

  async function submit({ dpa, source }: ConnectedSource, held: HeldPullRequest, plan: PullRequestPlan): Promise<void> {
    const payload = await held.readPayload(plan);
    if (payload === undefined) return held.updatePlan(plan, { status: 'failed', error: GONE });
    try {
      const accepted = await dpa.call('analyzePlan', {
        path: { id: source.org_id },
        headers: { 'Idempotency-Key': attemptOf(plan) },
        body: { plan_json: await planText(payload), ci: contextOf(held.pull_request, plan) },
        retries: 0, // a refusal is told at once
      });
      const { job_id, scan_run_id } = accepted;
      await held.updatePlan(plan, { status: 'submitted', job_id, scan_run_id, due_at: null, error: null });
    } catch (error) {
      if (!isDpaError(error) || isPassing(error)) throw error;
      await held.updatePlan(plan, refusedBy(error, now()));
    }
  }
}

/** Whoever submitted it before us may have ended in the middle of it: for a while, the service still believes them at it. */
function isPassing({ status, error_class }: DpaError): boolean {
  return status >= 500 || error_class === 'idempotency_in_progress';
}

/** The same for every repetition of one attempt; a plan that was deferred makes another. */
function attemptOf({ id, run_number, due_at }: PullRequestPlan): string {
  return `${id}:${run_number}:${due_at?.getTime() ?? 0}`;
}

function contextOf({ repo, url, pr_number, branch }: PullRequest, { head_sha }: PullRequestPlan) {
  const cut = repo.lastIndexOf('/');
  const repo_url = /^https?:\/\/[^?#]+?(?=\/(?:-\/)?(?:pull|merge_requests)\/\d)/.exec(url)?.[0];
  return {
    repo_owner: repo.slice(0, cut),
    repo_name: repo.slice(cut + 1),
    ...(repo_url === undefined ? {} : { repo_url }),
    pr_number,
    ...(branch === null ? {} : { branch: branch.slice(0, 500) }),
    commit_sha: head_sha,
  };
}

function refusedBy(error: DpaError, now: Date): PlanChanges {
  const said = messageOf(error);
  if (!NOT_FOR_NOW.has(error.status)) return { status: 'failed', error: said };
  return { status: 'deferred', error: said, due_at: dueAt(error, now) };
}

/** null: asking again changes nothing. */
function dueAt({ status, error_class, body, retry_after = DEFAULT_WAIT_S }: DpaError, now: Date): Date | null {
  if (status === 429) return noSoonerThan(now, now.getTime() + retry_after * 1_000);
  if (status === 402 && error_class === 'plan_weekly_quota_exhausted') {
    const { week_resets_at } = body as { week_resets_at?: string };
    return week_resets_at === undefined ? null : noSoonerThan(now, Date.parse(week_resets_at));
  }
  return null;
}

function noSoonerThan(now: Date, at_ms: number): Date {
  return new Date(Math.max(at_ms, now.getTime() + SHORTEST_WAIT_MS));
}

/** 402 says in `message` what all others say in `error`. */
function messageOf({ body, status, error_class }: DpaError): string {
  if (status === 401) return 'The key of this integration is not valid any more. Link the repository again.';
  const { message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const said = message ?? error;
  if (typeof said !== 'string' || error_class === 'foreign_answer') return 'The service refused the plan.';
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}
