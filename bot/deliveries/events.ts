import type { BotEvent, HostedPullRequest, PullRequestRef } from '../../server/adapters/scm/types.ts';
import type { PullRequest, PullRequests } from '../../server/domains/pull-requests/index.ts';
import type { ConnectedSource } from '../ports.ts';
import type { CollectPlans } from './collect.ts';
import type { AnswerCommand } from './commands.ts';

export interface EventHandlerDeps {
  pullRequests: Pick<PullRequests, 'find' | 'reportApproval' | 'track'>;
  collect: CollectPlans;
  answer: AnswerCommand;
}

/** Handles each kind of event. The payload is only a hint: the current state comes from the API of the Git host. */
export function createEventHandler({ pullRequests, collect, answer }: EventHandlerDeps) {
  return async (connected: ConnectedSource, event: BotEvent): Promise<boolean> => {
    switch (event.what) {
      case 'run_finished': {
        const pr = await connected.platform.findPullRequest(event.repo, event.run.head_sha);
        return pr !== null && collect(connected, pr, [event.run]);
      }
      case 'check_rerequested': {
        const pr = await connected.platform.findPullRequest(event.repo, event.head_sha);
        return pr !== null && collectAgain(connected, pr);
      }
      case 'pull_request_changed':
        return handlePullRequestChange(connected, event.pr);
      case 'command':
        return answer(connected, event, collectAgain);
    }
  };

  async function collectAgain(connected: ConnectedSource, pr: HostedPullRequest): Promise<boolean> {
    const runs = await connected.platform.listRuns(pr.repo, pr.head_sha);
    return collect(connected, pr, runs, { again: true });
  }

  async function handlePullRequestChange(
    connected: ConnectedSource,
    { repo, pr_number }: PullRequestRef,
  ): Promise<boolean> {
    const { org_id, source, platform } = connected;
    const known = await pullRequests.find(org_id, source, repo, pr_number);
    const hosted = await platform.getPullRequest({ repo, pr_number });
    if (known === undefined) return collectFirstPlans(connected, hosted);
    await pullRequests.track(org_id, source, hosted);
    if (await isApprovedAnyway(connected, known, hosted)) await pullRequests.reportApproval(org_id, known.id);
    return true;
  }

  /**
   * Whether somebody has merged critical plans or approved them. An approval counts only for the commit that the review
   * is about; its author may have pushed a fix that is not analyzed yet.
   */
  async function isApprovedAnyway(
    { platform }: ConnectedSource,
    { published }: PullRequest,
    hosted: HostedPullRequest,
  ): Promise<boolean> {
    if (published?.risk_level !== 'critical') return false;
    if (hosted.state !== 'open') return hosted.state === 'merged';
    return published.head_sha === hosted.head_sha && platform.isApproved(hosted);
  }

  /** Pipelines of a branch can end before its pull request is opened. A pull request without plans is not tracked. */
  async function collectFirstPlans(connected: ConnectedSource, pr: HostedPullRequest): Promise<boolean> {
    if (pr.state !== 'open') return false;
    const runs = await connected.platform.listRuns(pr.repo, pr.head_sha);
    return runs.length > 0 && collect(connected, pr, runs);
  }
}
