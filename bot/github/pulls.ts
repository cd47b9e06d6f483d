import { type HostedPullRequest, type Platform, PlatformError } from '../types.ts';
import type { Host } from './host.ts';
import { partsOf } from './repo.ts';

/** Open pull requests of a fork are looked for among the 300 that were touched last. */
const MOST_PAGES = 3;

/** What is read of a pull request; GitHub shows these members in its lists too. */
interface Shown {
  number: number;
  html_url: string;
  state: string;
  merged_at: string | null;
  head: { sha: string; ref: string; repo: { id: number } | null };
  base: { sha: string; repo: { id: number } };
}

export function pulls(host: Host): Pick<Platform, 'findPullRequest' | 'getPullRequest'> {
  /** Those that contain the commit; GitHub knows none for a commit that came from a fork. */
  async function ofCommit(full_name: string, commit_sha: string): Promise<Shown[]> {
    const of = { ...partsOf(full_name), commit_sha, per_page: 100 };
    try {
      return await host.ask('read', 'list the pull requests of a commit', ({ rest }) =>
        rest.repos.listPullRequestsAssociatedWithCommit(of),
      );
    } catch (error) {
      if (isUnknownCommit(error)) return [];
      throw error;
    }
  }

  async function amongOpen(full_name: string, sha: string): Promise<Shown | undefined> {
    const of = { ...partsOf(full_name), state: 'open', sort: 'updated', direction: 'desc' } as const;
    const pages = host.pages<Shown[]>(
      'list open pull requests',
      ({ rest }, page) => rest.pulls.list({ ...of, ...page }),
      MOST_PAGES,
    );
    for await (const shown of pages) {
      const found = shown.find((pull) => pull.head.sha === sha);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return {
    async findPullRequest(repo, head_sha) {
      const contain = await ofCommit(repo, head_sha);
      const headed = contain.filter((pull) => pull.state === 'open' && pull.head.sha === head_sha);
      // Anybody may propose a commit of ours from a fork: what is told of it belongs to our own pull request.
      const own = headed.find((pull) => !isFork(pull)) ?? headed[0];
      const found = own ?? (contain.length === 0 ? await amongOpen(repo, head_sha) : undefined);
      return found === undefined ? null : hosted(repo, found);
    },
    async getPullRequest({ repo, pr_number }) {
      const of = { ...partsOf(repo), pull_number: pr_number };
      return hosted(repo, await host.ask<Shown>('read', 'read a pull request', ({ rest }) => rest.pulls.get(of)));
    },
  };
}

function isUnknownCommit(error: unknown): boolean {
  return error instanceof PlatformError && error.error_class === 'rejected';
}

/** A fork that was deleted is told as no repository at all. */
function hosted(repo: string, { number, html_url, state, merged_at, head, base }: Shown): HostedPullRequest {
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

function isFork({ head, base }: Pick<Shown, 'head' | 'base'>): boolean {
  return head.repo?.id !== base.repo.id;
}
