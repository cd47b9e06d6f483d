import { type HostedPullRequest, type Platform, PlatformError } from '../types.ts';
import type { Host } from './host.ts';
import { splitRepo } from './repo.ts';

/** Open pull requests of forks are searched among the 300 most recently updated. */
const MOST_PAGES = 3;

/** The members of a pull request that we read; lists contain them too. */
interface ListedPull {
  number: number;
  html_url: string;
  state: string;
  merged_at: string | null;
  head: { sha: string; ref: string; repo: { id: number } | null };
  base: { sha: string; repo: { id: number } };
}

export function createPulls(host: Host): Pick<Platform, 'findPullRequest' | 'getPullRequest'> {
  /** Lists pull requests that contain the commit; GitHub returns none for a commit of a fork. */
  async function listByCommit(full_name: string, commit_sha: string): Promise<ListedPull[]> {
    const params = { ...splitRepo(full_name), commit_sha, per_page: 100 };
    try {
      return await host.ask('read', 'list the pull requests of a commit', ({ rest }) =>
        rest.repos.listPullRequestsAssociatedWithCommit(params),
      );
    } catch (error) {
      if (isUnknownCommit(error)) return [];
      throw error;
    }
  }

  async function findAmongOpen(full_name: string, sha: string): Promise<ListedPull | undefined> {
    const params = { ...splitRepo(full_name), state: 'open', sort: 'updated', direction: 'desc' } as const;
    const pages = host.pages<ListedPull[]>(
      'list open pull requests',
      ({ rest }, page) => rest.pulls.list({ ...params, ...page }),
      MOST_PAGES,
    );
    for await (const page_pulls of pages) {
      const found = page_pulls.find((pull) => pull.head.sha === sha);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return {
    async findPullRequest(repo, head_sha) {
      const candidates = await listByCommit(repo, head_sha);
      const matching = candidates.filter((pull) => pull.state === 'open' && pull.head.sha === head_sha);
      // A fork can open a pull request with one of our commits: the review belongs to our own pull request.
      const own = matching.find((pull) => !isFork(pull)) ?? matching[0];
      const found = own ?? (candidates.length === 0 ? await findAmongOpen(repo, head_sha) : undefined);
      return found === undefined ? null : toHostedPullRequest(repo, found);
    },
    async getPullRequest({ repo, pr_number }) {
      const params = { ...splitRepo(repo), pull_number: pr_number };
      return toHostedPullRequest(
        repo,
        await host.ask<ListedPull>('read', 'read a pull request', ({ rest }) => rest.pulls.get(params)),
      );
    },
  };
}

function isUnknownCommit(error: unknown): boolean {
  return error instanceof PlatformError && error.error_class === 'rejected';
}

/** GitHub reports a deleted fork as a null repository. */
function toHostedPullRequest(
  repo: string,
  { number, html_url, state, merged_at, head, base }: ListedPull,
): HostedPullRequest {
  return {
    repo,
    pr_number: number,
    url: html_url,
    state: state === 'open' ? 'open' : merged_at === null ? 'closed' : 'merged',
    head_sha: head.sha,
    branch: head.ref,
    base_sha: base.sha,
    is_fork: isFork({ head, base }),
  };
}

function isFork({ head, base }: Pick<ListedPull, 'head' | 'base'>): boolean {
  return head.repo?.id !== base.repo.id;
}
