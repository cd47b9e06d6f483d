import { renderReview } from '../../engine/index.ts';
import type { Schemas } from '../../sdk/src/index.ts';
import { type HostedPullRequest, PlatformError } from '../../server/adapters/scm/types.ts';
import type {
  HeldPullRequest,
  PullRequest,
  PullRequestPlan,
  PullRequests,
} from '../../server/domains/pull-requests/index.ts';
import { lazy } from '../../server/lib/lazy.ts';
import { type BaseUrls, resultUrl } from '../../server/lib/web-links.ts';
import type { Logger } from '../../server/log.ts';
import type { ConnectedSource, OrgPolicy } from '../ports.ts';
import type { WorkOnSource } from '../sources.ts';
import { postAnswers } from './answers.ts';
import { composeReview, type PlanWithOutcome } from './compose.ts';
import { decideOutcome, type ReadPlanResult } from './outcomes.ts';
import { computeCommentTime, computeNextRound, isDue } from './schedule.ts';
import { writeReview } from './write.ts';

export interface ReviewPublisherDeps {
  workOnSource: WorkOnSource;
  orgs: OrgPolicy;
  pullRequests: Pick<PullRequests, 'track'>;
  submit(connected: ConnectedSource, held: HeldPullRequest, plan: PullRequestPlan): Promise<void>;
  readResult: ReadPlanResult;
  /** Base addresses of links to results. */
  base_urls: BaseUrls;
  now: () => Date;
  log: Logger;
}

const RATE_LIMIT_WAIT_S = 60;

/** Publishes the current review of a pull request. */
export function createReviewPublisher(deps: ReviewPublisherDeps) {
  const { workOnSource, orgs, pullRequests, submit, readResult, base_urls, now, log } = deps;

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
      if (error_class !== 'rate_limited') return;
      await held.wakeAt(new Date(now().getTime() + (retry_after ?? RATE_LIMIT_WAIT_S) * 1_000));
    }
  }

  async function publishConnected(connected: ConnectedSource, held: HeldPullRequest): Promise<void> {
    const { org_id, is_fork } = held.pull_request;
    const settings = await orgs.getSettings(org_id);
    const can_write = !is_fork || settings.fork_pr_policy === 'comment';
    const outcomes = await updatePlans(connected, held);
    if (can_write && !outcomes.every(isResultExpired)) await publishReview(connected, held, outcomes, settings);
    // Last, so that an answer that cannot be posted does not block the verdict.
    if (can_write) await postAnswers(connected.platform, held, log);
  }

  /** Submits the plans that are due, stores the results that have arrived, and schedules the next round. */
  async function updatePlans(connected: ConnectedSource, held: HeldPullRequest): Promise<PlanWithOutcome[]> {
    const { pull_request, plans } = held;
    const due = plans.filter((plan) => isDue(pull_request, plan, now()));
    await Promise.all(due.map((plan) => submit(connected, held, plan)));
    const outcomes = await Promise.all(plans.map((plan) => updatePlan(connected, held, plan)));
    const next_round = computeNextRound(pull_request, outcomes, now());
    if (next_round !== null) await held.wakeAt(next_round);
    return outcomes;
  }

  async function updatePlan(
    connected: ConnectedSource,
    held: HeldPullRequest,
    plan: PullRequestPlan,
  ): Promise<PlanWithOutcome> {
    const { outcome, changes } = decideOutcome(plan, await readResult(connected, held, plan));
    if (changes !== null) await held.updatePlan(plan, changes);
    return { plan, outcome };
  }

  async function publishReview(
    connected: ConnectedSource,
    held: HeldPullRequest,
    outcomes: readonly PlanWithOutcome[],
    { pr_fail_on: fail_on, pr_comment_mode: comment_mode }: Schemas['OrgSettings'],
  ): Promise<void> {
    const { org_id, source, platform } = connected;
    const { pull_request } = held;
    const { repo, pr_number } = pull_request;
    const { slug } = await orgs.get(org_id);
    const options = { fail_on, resultUrl: (id: string) => resultUrl(base_urls, slug, id) };
    const review = await composeReview(connected, held, outcomes, options);
    const rendered = renderReview(review);
    const comment_at = computeCommentTime(pull_request, outcomes);
    const can_comment = comment_at <= now().getTime();
    if (!can_comment && Number.isFinite(comment_at)) await held.wakeAt(new Date(comment_at));
    // An event can be out of date, so the Git host is asked for the newest commit before anything is written.
    const askHost = lazy(() => platform.getPullRequest({ repo, pr_number }));
    const isCurrent = async () => isSameVersion(await askHost(), pull_request);
    const is_current = await writeReview({ platform, held, comment_mode, review, rendered, can_comment, isCurrent });
    if (!is_current) await pullRequests.track(org_id, source, await askHost());
  }

  return publish;
}

/** Results expire after days, pull requests live for months: a published verdict stays after its result has expired. */
function isResultExpired({ plan, outcome }: PlanWithOutcome): boolean {
  return plan.status === 'done' && outcome.state === 'failed';
}

function isSameVersion(hosted: HostedPullRequest, { head_sha, state }: PullRequest): boolean {
  return hosted.head_sha === head_sha && hosted.state === state;
}
