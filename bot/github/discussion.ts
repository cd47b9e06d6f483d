import { type Platform, PlatformError } from '../types.ts';
import type { Host } from './host.ts';
import { partsOf } from './repo.ts';
import { cutTo } from './sizes.ts';

/** Who we are in a list of comments. */
export type Me = { slug: string; app_id: number } | { user_id: number };

interface Shown {
  id: number;
  body?: string | undefined;
  user: { id: number; login: string; type: string } | null;
  performed_via_github_app?: { id: number } | null | undefined;
}

type Discussion = Pick<Platform, 'listOwnComments' | 'createComment' | 'updateComment' | 'react'>;

export function discussion(host: Host, whoAmI: () => Promise<Me>): Discussion {
  return {
    async *listOwnComments({ repo, pr_number }) {
      const me = await whoAmI();
      const of = { ...partsOf(repo), issue_number: pr_number };
      const pages = host.pages<Shown[]>('list comments', ({ rest }, page) =>
        rest.issues.listComments({ ...of, ...page }),
      );
      for await (const shown of pages) {
        for (const comment of shown) {
          if (isOurs(comment, me)) yield { id: String(comment.id), body: comment.body ?? '' };
        }
      }
    },
    async createComment({ repo, pr_number }, body) {
      const of = { ...partsOf(repo), issue_number: pr_number, body: cutTo(body) };
      const { id } = await host.ask('create', 'write a comment', ({ rest }) => rest.issues.createComment(of));
      return { id: String(id) };
    },
    async updateComment({ repo }, id, body) {
      const of = { ...partsOf(repo), comment_id: Number(id), body: cutTo(body) };
      try {
        await host.ask('write', 'change a comment', ({ rest }) => rest.issues.updateComment(of));
        return true;
      } catch (error) {
        if (error instanceof PlatformError && error.error_class === 'gone') return false;
        throw error;
      }
    },
    async react({ repo }, comment_id) {
      const of = { ...partsOf(repo), comment_id: Number(comment_id), content: 'eyes' } as const;
      // The same reaction of the same user is one.
      await host.ask('write', 'react to a comment', ({ rest }) => rest.reactions.createForIssueComment(of));
    },
  };
}

/** An App may be renamed: its id stays, and is told with its comments. */
function isOurs({ user, performed_via_github_app }: Shown, me: Me): boolean {
  if ('user_id' in me) return user?.id === me.user_id;
  if (user?.type !== 'Bot') return false;
  return user.login === `${me.slug}[bot]` || performed_via_github_app?.id === me.app_id;
}
