import type { DomainParts } from '../../contract/domain-parts.ts';
import { pullRequestSweeps } from './jobs.ts';
import { type PullRequestRoutesDeps, pullRequestRoutes } from './routes.ts';
import type { PullRequests } from './service.ts';

type PartsDeps = Omit<PullRequestRoutesDeps, 'pullRequests'> & { pullRequests: PullRequests };

export function pullRequestParts(given: PartsDeps) {
  return {
    domain: 'pull-requests',
    handlers: pullRequestRoutes(given),
    sweeps: pullRequestSweeps(given.pullRequests),
    settings: { pr_comment_mode: 'upsert', pr_fail_on: null, fork_pr_policy: 'comment' },
  } satisfies DomainParts;
}
