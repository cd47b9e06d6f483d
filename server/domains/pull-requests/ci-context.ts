import type { CiInput } from '../analysis/index.ts';
import type { KeptPullRequestPlan } from './types.ts';

const LONGEST_BRANCH = 500;
/** The part of a pull request's URL before its number. */
const REPO_URL = /^https?:\/\/[^?#]+?(?=\/(?:-\/)?(?:pull|merge_requests)\/\d)/;

/** The origin of a plan, as an analysis records it. */
export function ciContext({ repo, url, pr_number, branch, head_sha }: KeptPullRequestPlan): CiInput {
  const cut = repo.lastIndexOf('/');
  const repo_url = REPO_URL.exec(url)?.[0];
  return {
    repo_owner: repo.slice(0, cut),
    repo_name: repo.slice(cut + 1),
    ...(repo_url === undefined ? {} : { repo_url }),
    pr_number,
    ...(branch === null ? {} : { branch: branch.slice(0, LONGEST_BRANCH) }),
    commit_sha: head_sha,
  };
}
