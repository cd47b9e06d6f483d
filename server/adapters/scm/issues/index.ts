import { openPerRepository, type PerRepositoryDeps } from '../per-repository.ts';
import { openGithubIssues } from './github.ts';
import { openGitlabIssues } from './gitlab.ts';
import type { OpenIssues } from './types.ts';

/** Opens the issues of repositories. */
export function createIssueTrackers(deps: PerRepositoryDeps): OpenIssues {
  return openPerRepository({ github: openGithubIssues, gitlab: openGitlabIssues }, deps);
}
