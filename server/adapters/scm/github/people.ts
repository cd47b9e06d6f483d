import { type Platform, PlatformError } from '../types.ts';
import type { Host } from './host.ts';
import { splitRepo } from './repo.ts';

/** Review states that replace an earlier review of the same author. */
const DECISIVE_STATES = new Set(['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']);

interface Review {
  state: string;
  user: { id: number; type: string } | null;
}

export function createPeople(host: Host): Pick<Platform, 'isApproved' | 'readPermission'> {
  return {
    async isApproved({ repo, pr_number }) {
      const params = { ...splitRepo(repo), pull_number: pr_number };
      const latest = new Map<number, string>();
      const pages = host.pages<Review[]>('list reviews', ({ rest }, page) =>
        rest.pulls.listReviews({ ...params, ...page }),
      );
      for await (const reviews of pages) {
        for (const { user, state } of reviews) {
          if (user?.type === 'User' && DECISIVE_STATES.has(state)) latest.set(user.id, state);
        }
      }
      return [...latest.values()].includes('APPROVED');
    },
    async readPermission(repo, login) {
      const params = { ...splitRepo(repo), username: login };
      try {
        const { permission } = await host.ask('read', 'read the permission of a user', ({ rest }) =>
          rest.repos.getCollaboratorPermissionLevel(params),
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
