import { lazy } from '../../../lib/lazy.ts';
import { openTokenClient } from '../github/client.ts';
import { createHost } from '../github/host.ts';
import { splitRepo } from '../github/repo.ts';
import type { RepositoryAccess, RepositoryDeps } from '../per-repository.ts';
import { PlatformError } from '../types.ts';
import type { IssueTracker } from './types.ts';

interface ListedIssue {
  number: number;
  body?: string | null | undefined;
  user: { id: number } | null;
  /** GitHub lists pull requests among the issues. */
  pull_request?: unknown;
}

interface ListedComment {
  body?: string | undefined;
  user: { id: number } | null;
}

/** Issues of a repository at GitHub, with a personal access token. */
export function openGithubIssues(
  { provider_base_url, repo_path, api_token }: RepositoryAccess,
  { fetch, now, log, pace }: RepositoryDeps,
): IssueTracker {
  const octokit = lazy(() => openTokenClient(provider_base_url, api_token, fetch, log));
  const host = createHost({ octokit, renew: null, pace, now });
  const me = lazy(() => host.ask('read', 'read the user of the token', ({ rest }) => rest.users.getAuthenticated()));

  async function find(mark: string, since: Date): Promise<number | undefined> {
    const { id, login } = await me();
    const filter = { creator: login, state: 'all', sort: 'created', direction: 'asc' } as const;
    const pages = host.pages<ListedIssue[]>('list issues', ({ rest }, page) =>
      rest.issues.listForRepo({ ...splitRepo(repo_path), ...filter, since: since.toISOString(), ...page }),
    );
    for await (const issues of pages) {
      const own = issues.find((one) => one.user?.id === id && one.pull_request === undefined && begins(one, mark));
      if (own !== undefined) return own.number;
    }
    return undefined;
  }

  async function hasComment(number: number, mark: string, since: Date): Promise<boolean> {
    const { id } = await me();
    const filter = { issue_number: number, since: since.toISOString() };
    const pages = host.pages<ListedComment[]>('list comments of an issue', ({ rest }, page) =>
      rest.issues.listComments({ ...splitRepo(repo_path), ...filter, ...page }),
    );
    for await (const comments of pages) {
      if (comments.some((one) => one.user?.id === id && begins(one, mark))) return true;
    }
    return false;
  }

  return {
    find,
    hasComment,
    async create(content) {
      const params = { ...splitRepo(repo_path), ...content };
      const { number } = await host.ask('create', 'create an issue', ({ rest }) => rest.issues.create(params));
      return number;
    },
    async update(number, { is_open, ...content }) {
      const state = is_open ? ('open' as const) : ('closed' as const);
      const params = { ...splitRepo(repo_path), issue_number: number, ...content, state };
      try {
        await host.ask('write', 'change an issue', ({ rest }) => rest.issues.update(params));
        return true;
      } catch (error) {
        if (error instanceof PlatformError && error.error_class === 'gone') return false;
        throw error;
      }
    },
    async comment(number, body) {
      const params = { ...splitRepo(repo_path), issue_number: number, body };
      await host.ask('create', 'comment on an issue', ({ rest }) => rest.issues.createComment(params));
    },
    async explain() {
      try {
        const { archived, has_issues } = await host.ask('read', 'read the repository', ({ rest }) =>
          rest.repos.get(splitRepo(repo_path)),
        );
        if (archived) return 'archived';
        return has_issues ? 'no_permission' : 'issues_disabled';
      } catch (error) {
        if (error instanceof PlatformError && error.error_class === 'gone') return 'no_repository';
        if (error instanceof PlatformError && error.error_class === 'forbidden') return 'no_permission';
        throw error;
      }
    },
  };
}

function begins({ body }: { body?: string | null | undefined }, mark: string): boolean {
  return body?.startsWith(mark) ?? false;
}
