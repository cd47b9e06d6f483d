import type { PullRequests } from '../../server/domains/pull-requests/index.ts';
import type { ConnectedSource } from '../ports.ts';
import type { BotEvent, HostedPullRequest, PullRequestRef } from '../types.ts';
import type { CollectPlans } from './collect.ts';
import type { AnswerCommand } from './commands.ts';
import { rowOf } from './row.ts';

export interface EventsDeps {
  pullRequests: Pick<PullRequests, 'find' | 'track'>;
  collect: CollectPlans;
  answer: AnswerCommand;
}

/** What is done about each kind of event. The payload only says where to look: what is true now is asked of the host. */
export function createEvents({ pullRequests, collect, answer }: EventsDeps) {
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
        return follow(connected, event.pr);
      case 'command':
        return answer(connected, event, collectAgain);
    }
  };

  async function collectAgain(connected: ConnectedSource, pr: HostedPullRequest): Promise<boolean> {
    const runs = await connected.platform.listRuns(pr.repo, pr.head_sha);
    return collect(connected, pr, runs, { again: true });
  }

  async function follow(connected: ConnectedSource, { repo, pr_number }: PullRequestRef): Promise<boolean> {
    const { source, platform } = connected;
    const row = rowOf(source);
    const known = await pullRequests.find(source.org_id, row, repo, pr_number);
    const hosted = await platform.getPullRequest({ repo, pr_number });
    if (known === undefined) return begin(connected, hosted);
    await pullRequests.track(source.org_id, row, hosted);
    return true;
  }

  /** Pipelines of a branch may have ended before anybody proposed it. One that has left no plan is nobody's business. */
  async function begin(connected: ConnectedSource, pr: HostedPullRequest): Promise<boolean> {
    if (pr.state !== 'open') return false;
    const runs = await connected.platform.listRuns(pr.repo, pr.head_sha);
    return runs.length > 0 && collect(connected, pr, runs);
  }
}
