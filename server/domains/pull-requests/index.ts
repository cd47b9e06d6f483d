export { LeaseLost } from './lease-lost.ts';
export { pullRequestParts } from './parts.ts';
export { createPullRequests, type PullRequests } from './service.ts';
export type {
  CommandAnswer,
  FoundPlan,
  HeldPullRequest,
  KeptAnswer,
  ObservedPullRequest,
  PlanChanges,
  PlanRun,
  PublishedReview,
  PullRequest,
  PullRequestChanges,
  PullRequestPlan,
  PullRequestSource,
} from './types.ts';
