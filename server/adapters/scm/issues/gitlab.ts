import { z } from 'zod';
import { lazy } from '../../../lib/lazy.ts';
import { listPages, loadApi } from '../gitlab/api.ts';
import { fallbackWhenGone } from '../gitlab/failures.ts';
import { createHttpClient } from '../gitlab/http-client.ts';
import { Note, read, readAll, User } from '../gitlab/shapes.ts';
import type { RepositoryAccess, RepositoryDeps } from '../per-repository.ts';
import { PlatformError } from '../types.ts';
import type { IssueTracker } from './types.ts';

const Issue = z.object({ iid: z.int().positive() });
const ListedIssue = Issue.extend({ description: z.string().nullish(), author: z.object({ id: z.int() }).nullish() });
/** `issues_access_level` replaces `issues_enabled`; older releases have only that. */
const Project = z.object({
  archived: z.boolean().optional(),
  issues_enabled: z.boolean().optional(),
  issues_access_level: z.string().optional(),
});

/** Issues of a project at GitLab.com or a self-hosted GitLab: REST API v4. */
export function openGitlabIssues(
  { provider_base_url, repo_path: repo, api_token }: RepositoryAccess,
  deps: RepositoryDeps,
): IssueTracker {
  const api = lazy(() => loadApi(createHttpClient({ ...deps, provider_base_url, api_token })));
  const ownId = lazy(async () => read(User, await (await api()).users.showCurrentUser()).id);

  async function find(mark: string, since: Date): Promise<number | undefined> {
    const [{ issues }, authorId] = [await api(), await ownId()];
    const order = { orderBy: 'created_at', sort: 'asc', scope: 'all' } as const;
    const filter = { projectId: repo, authorId, updatedAfter: since.toISOString(), ...order };
    for await (const page of listPages((page) => issues.all({ ...filter, ...page }))) {
      const own = readAll(ListedIssue, page).find(
        ({ author, description }) => author?.id === authorId && description?.startsWith(mark),
      );
      if (own !== undefined) return own.iid;
    }
    return undefined;
  }

  async function hasComment(number: number, mark: string, since: Date): Promise<boolean> {
    const [{ issueNotes }, own_id] = [await api(), await ownId()];
    const newest_first = { sort: 'desc', orderBy: 'created_at' } as const;
    for await (const page of listPages((page) => issueNotes.all(repo, number, { ...newest_first, ...page }))) {
      for (const { author, body, created_at } of readAll(Note, page)) {
        if (Date.parse(created_at) < since.getTime()) return false;
        if (author?.id === own_id && body.startsWith(mark)) return true;
      }
    }
    return false;
  }

  return {
    find,
    hasComment,
    async create({ title, body }) {
      const { issues } = await api();
      return read(Issue, await issues.create(repo, title, { description: body })).iid;
    },
    async update(number, { title, body, is_open }) {
      const { issues } = await api();
      const stateEvent = is_open ? 'reopen' : 'close';
      const changes = { title, description: body, stateEvent } as const;
      return (await fallbackWhenGone(null, () => issues.edit(repo, number, changes))) !== null;
    },
    async comment(number, body) {
      const { issueNotes } = await api();
      await issueNotes.create(repo, number, body);
    },
    async explain() {
      const { projects } = await api();
      try {
        const found = await fallbackWhenGone(null, () => projects.show(repo));
        if (found === null) return 'no_repository';
        const { archived, issues_enabled, issues_access_level } = read(Project, found);
        if (archived === true) return 'archived';
        return issues_enabled === false || issues_access_level === 'disabled' ? 'issues_disabled' : 'no_permission';
      } catch (error) {
        if (error instanceof PlatformError && error.error_class === 'forbidden') return 'no_permission';
        throw error;
      }
    },
  };
}
