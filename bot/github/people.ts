import { type Platform, PlatformError } from '../types.ts';
import type { Host } from './host.ts';
import { partsOf } from './repo.ts';

/** Reviews that say something of the change, and take the place of what their author has said before. */
const OPINIONS = new Set(['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']);

interface Review {
  state: string;
  user: { id: number; type: string } | null;
}

export function people(host: Host): Pick<Platform, 'isApproved' | 'permissionOf'> {
  return {
    async isApproved({ repo, pr_number }) {
      const of = { ...partsOf(repo), pull_number: pr_number };
      const latest = new Map<number, string>();
      const pages = host.pages<Review[]>('list reviews', ({ rest }, page) =>
        rest.pulls.listReviews({ ...of, ...page }),
      );
      for await (const reviews of pages) {
        for (const { user, state } of reviews) {
          if (user?.type === 'User' && OPINIONS.has(state)) latest.set(user.id, state);
        }
      }
      return [...latest.values()].includes('APPROVED');
    },
    async permissionOf(repo, login) {
      const of = { ...partsOf(repo), username: login };
      try {
        const { permission } = await host.ask('read', 'read the permission of a user', ({ rest }) =>
          rest.repos.getCollaboratorPermissionLevel(of),
        );
        if (permission === 'none') return 'none';
        return permission === 'admin' || permission === 'write' || permission === 'maintain' ? 'write' : 'read';
      } catch (error) {
        if (error instanceof PlatformError && error.error_class === 'gone') return 'none';
        throw error;
      }
    },
  };
}
