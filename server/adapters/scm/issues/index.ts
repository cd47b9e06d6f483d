import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createPace, type Pace } from '../pace.ts';
import { openGithubIssues } from './github.ts';
import { openGitlabIssues } from './gitlab.ts';
import type { IssueAccess, IssueTracker, IssueTrackerDeps, OpenIssues } from './types.ts';

export interface IssueTrackersDeps extends Omit<IssueTrackerDeps, 'pace'> {
  newPace?: () => Pace;
}

const OPEN = { github: openGithubIssues, gitlab: openGitlabIssues };
/** Number of cached trackers; each keeps its rate limit. */
const MOST_TRACKERS = 1_000;

/** Opens the issues of repositories. Equal access returns the same tracker, so that all requests share one rate limit. */
export function createIssueTrackers({ newPace = createPace, ...deps }: IssueTrackersDeps): OpenIssues {
  const trackers = new LRUCache<string, IssueTracker>({ max: MOST_TRACKERS });

  return (access: IssueAccess) => {
    const { provider, provider_base_url, repo_path, api_token } = access;
    // Hashed, so that the key does not reveal the token.
    const key = hash('sha256', JSON.stringify([provider, provider_base_url, repo_path, api_token]));
    const tracker = trackers.get(key) ?? OPEN[provider](access, { ...deps, pace: newPace() });
    trackers.set(key, tracker);
    return tracker;
  };
}
