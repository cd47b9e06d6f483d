import { renderReview } from '../../engine/index.ts';
import type { Schemas } from '../../sdk/src/index.ts';
import { PlatformError } from '../../server/adapters/scm/types.ts';
import type { HeldPullRequest, PullRequestPlan, PullRequests } from '../../server/domains/pull-requests/index.ts';
import { lazy } from '../../server/lib/lazy.ts';
import { type BaseUrls, resultUrl } from '../../server/lib/web-links.ts';
import type { Logger } from '../../server/log.ts';
import type { ConnectedSource, OrgPolicy } from '../ports.ts';
import type { WorkOnSource } from '../sources.ts';
import { postAnswers } from './answers.ts';
import { composeReview, type PlanWithOutcome } from './compose.ts';
import type { ReadOutcome } from './outcomes.ts';
import { writeReview } from './write.ts';

export interface ReviewPublisherDeps {
  workOnSource: WorkOnSource;
  orgs: OrgPolicy;
  pullRequests: Pick<PullRequests, 'track'>;
  submit(connected: ConnectedSource, held: HeldPullRequest, plan: PullRequestPlan): Promise<void>;
  readOutcome: ReadOutcome;
  /** Base addresses of links to results. */
  base_urls: BaseUrls;
  now: () => Date;
  log: Logger;
}

/** The comment waits this long for the last plan; then it shows the available plans. */
const MAX_WAIT_MS = 20_000;
/** The comment about the previous commit stays unchanged this long, because the pipeline of the new commit is probably running. */
const STALE_AFTER_MS = 600_000;
const RATE_LIMIT_WAIT_S = 60;

/** Publishes the current review of a pull request. */
export function createReviewPublisher(deps: ReviewPublisherDeps) {
  const { workOnSource, orgs, pullRequests, submit, readOutcome, base_urls, now, log } = deps;

  /** @throws errors that a retry can resolve */
  async function publish(held: HeldPullRequest): Promise<void> {
    const { org_id, id } = held.pull_request;
    try {
      const done = await workOnSource(org_id, held.pull_request, (connected) => publishConnected(connected, held));
      if ('missing' in done) log.warn({ org_id, pull_request_id: id, why: done.missing }, 'review not published');
    } catch (error) {
      if (!(error instanceof PlatformError) || error.error_class === 'unavailable') throw error;
      const { error_class, message, retry_after } = error;
      log.warn(
        { org_id, pull_request_id: id, error_class, why: message },
        'the Git host rejected the publication of a review',
      );
      if (error_class === 'rate_limited') await held.wakeAt(fromNow((retry_after ?? RATE_LIMIT_WAIT_S) * 1_000));
    }
  }

  async function publishConnected(connected: ConnectedSource, held: HeldPullRequest): Promise<void> {
    const { org_id, is_fork } = held.pull_request;
    const settings = await orgs.getSettings(org_id);
    const can_write = !is_fork || settings.fork_pr_policy === 'comment';
    await publishReview(connected, held, { ...settings, can_write });
    // Last, so that an answer that cannot be posted does not block the verdict.
    if (can_write) await postAnswers(connected.platform, held, log);
  }

  async function publishReview(
    connected: ConnectedSource,
    held: HeldPullRequest,
    { pr_fail_on: fail_on, pr_comment_mode, can_write }: Schemas['OrgSettings'] & { can_write: boolean },
  ): Promise<void> {
    const due = held.plans.filter((plan) => isDue(held, plan));
    await Promise.all(due.map((plan) => submit(connected, held, plan)));
    const outcomes = await Promise.all(
      held.plans.map(
        async (plan): Promise<PlanWithOutcome> => ({ plan, outcome: await readOutcome(connected, held, plan) }),
      ),
    );
    if (outcomes.every(isResultExpired)) return;
    await scheduleNextRound(held, outcomes);

    if (!can_write) return;
    const { slug } = await orgs.get(held.pull_request.org_id);
    const options = { fail_on, resultUrl: (id: string) => resultUrl(base_urls, slug, id) };
    const review = await composeReview(connected, held, outcomes, options);
    const can_comment = await canComment(held, outcomes);
    await writeReview({
      platform: connected.platform,
      held,
      comment_mode: pr_comment_mode,
      review,
      rendered: renderReview(review),
      can_comment,
      isCurrent: lazy(() => isStillCurrent(connected, held)),
    });
  }

  /** Only plans of the newest commit are analyzed. */
  function isDue({ pull_request }: HeldPullRequest, { status, due_at, head_sha }: PullRequestPlan): boolean {
    if (pull_request.state !== 'open' || head_sha !== pull_request.head_sha) return false;
    return status === 'waiting' || (status === 'deferred' && due_at !== null && due_at <= now());
  }

  async function scheduleNextRound(held: HeldPullRequest, outcomes: readonly PlanWithOutcome[]): Promise<void> {
    const { state, head_sha } = held.pull_request;
    if (state !== 'open') return;
    const newest = outcomes.filter(({ plan }) => plan.head_sha === head_sha);
    if (newest.some(isByBuiltinRules)) await held.wakeAt(fromNow(RATE_LIMIT_WAIT_S * 1_000));
    // A plan whose result expired before it was published has to be submitted again.
    if (held.plans.some((plan) => isDue(held, plan))) await held.wakeAt(fromNow(MAX_WAIT_MS));
    const deferred = held.plans.filter((plan) => plan.status === 'deferred' && plan.head_sha === head_sha);
    const dues = deferred.flatMap(({ due_at }) => (due_at === null ? [] : [due_at.getTime()]));
    if (dues.length > 0) await held.wakeAt(new Date(Math.min(...dues)));
  }

  /** Ensures one edit for all plans of a push, and no edit that the next minutes would revert. */
  async function canComment(held: HeldPullRequest, outcomes: readonly PlanWithOutcome[]): Promise<boolean> {
    const { state, head_sha, head_changed_at } = held.pull_request;
    if (state !== 'open') return true;
    const waiting = outcomes
      .filter(({ outcome }) => outcome.state === 'waiting')
      .map(({ plan }) => plan.created_at.getTime());
    const is_stale = outcomes.length > 0 && outcomes.every(({ plan }) => plan.head_sha !== head_sha);
    // Nothing can be published yet: the end of a job enqueues the pull request again.
    if (outcomes.length > 0 && waiting.length === outcomes.length) return false;
    const ready_at = is_stale ? head_changed_at.getTime() + STALE_AFTER_MS : Math.min(...waiting) + MAX_WAIT_MS;
    if (!Number.isFinite(ready_at) || ready_at <= now().getTime()) return true;
    await held.wakeAt(new Date(ready_at));
    return false;
  }

  /** An event can be out of date, so the Git host is asked for the newest commit. */
  async function isStillCurrent(
    { org_id, source, platform }: ConnectedSource,
    held: HeldPullRequest,
  ): Promise<boolean> {
    const { repo, pr_number, head_sha, state } = held.pull_request;
    const hosted = await platform.getPullRequest({ repo, pr_number });
    if (hosted.head_sha === head_sha && hosted.state === state) return true;
    await pullRequests.track(org_id, source, hosted);
    return false;
  }

  function fromNow(ms: number): Date {
    return new Date(now().getTime() + ms);
  }

  return publish;
}

/** Results expire after days, pull requests live for months: a published verdict stays after its result has expired. */
function isResultExpired({ plan, outcome }: PlanWithOutcome): boolean {
  return plan.status === 'done' && outcome.state === 'failed';
}

/** The rules of the organization could not be read, so the verdict is not final. */
function isByBuiltinRules({ outcome }: PlanWithOutcome): boolean {
  return outcome.state === 'deferred' && outcome.by === 'builtin_rules';
}
