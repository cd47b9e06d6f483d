import { type Platform, PlatformError } from '../types.ts';
import type { Host } from './host.ts';
import { splitRepo } from './repo.ts';
import { truncateBody } from './sizes.ts';

/** Identifies our own comments. */
export type BotIdentity = { slug: string; app_id: number } | { user_id: number };

interface ListedComment {
  id: number;
  body?: string | undefined;
  user: { id: number; login: string; type: string } | null;
  performed_via_github_app?: { id: number } | null | undefined;
}

type Discussion = Pick<Platform, 'listOwnComments' | 'createComment' | 'updateComment' | 'react'>;

export function createDiscussion(host: Host, whoAmI: () => Promise<BotIdentity>): Discussion {
  return {
    async *listOwnComments({ repo, pr_number }) {
      const me = await whoAmI();
      const params = { ...splitRepo(repo), issue_number: pr_number };
      const pages = host.pages<ListedComment[]>('list comments', ({ rest }, page) =>
        rest.issues.listComments({ ...params, ...page }),
      );
      for await (const comments of pages) {
        for (const comment of comments) {
          if (isOurs(comment, me)) yield { id: String(comment.id), body: comment.body ?? '' };
        }
      }
    },
    async createComment({ repo, pr_number }, body) {
      const params = { ...splitRepo(repo), issue_number: pr_number, body: truncateBody(body) };
      const { id } = await host.ask('create', 'write a comment', ({ rest }) => rest.issues.createComment(params));
      return { id: String(id) };
    },
    async updateComment({ repo }, id, body) {
      const params = { ...splitRepo(repo), comment_id: Number(id), body: truncateBody(body) };
      try {
        await host.ask('write', 'change a comment', ({ rest }) => rest.issues.updateComment(params));
        return true;
      } catch (error) {
        if (error instanceof PlatformError && error.error_class === 'gone') return false;
        throw error;
      }
    },
    async react({ repo }, comment_id) {
      const params = { ...splitRepo(repo), comment_id: Number(comment_id), content: 'eyes' } as const;
      // GitHub stores the same reaction of a user only once.
      await host.ask('write', 'react to a comment', ({ rest }) => rest.reactions.createForIssueComment(params));
    },
  };
}

/** An App can be renamed; its ID stays the same and is part of its comments. */
function isOurs({ user, performed_via_github_app }: ListedComment, me: BotIdentity): boolean {
  if ('user_id' in me) return user?.id === me.user_id;
  if (user?.type !== 'Bot') return false;
  return user.login === `${me.slug}[bot]` || performed_via_github_app?.id === me.app_id;
}
