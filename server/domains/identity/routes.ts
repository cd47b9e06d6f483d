import type { Handlers } from '../../contract/operation.ts';
import type { Identity } from './service.ts';
import type { User } from './types.ts';

export function identityRoutes(
  identity: Identity,
): Pick<Handlers, 'getMe' | 'getAdminMe' | 'listUsers' | 'deleteUser'> {
  return {
    async getMe({ principal }) {
      const { user, memberships } = await identity.getMe(principal);
      const { credential, key } = principal;
      return {
        status: 200,
        body: {
          user: userRecord(user),
          auth: {
            type: credential,
            key_id: key?.id ?? null,
            org_id: key?.org_id ?? null,
            scopes: key === null ? null : [...key.scopes],
          },
          memberships: memberships.map((membership) => ({
            accepted_at: membership.accepted_at?.toISOString() ?? null,
            id: membership.id,
            org_id: membership.org_id,
            org_slug: membership.org_slug,
            role: membership.role,
          })),
        },
      };
    },

    async getAdminMe({ principal }) {
      await identity.claimFirstAdmin(principal);
      return { status: 200, body: { is_platform_admin: await identity.isPlatformAdmin(principal) } };
    },

    async listUsers({ query }) {
      const { limit, offset } = query;
      const { users, total } = await identity.listUsers(query);
      return { status: 200, body: users.map(userRecord), page: { total, limit, offset } };
    },

    async deleteUser({ principal, path }) {
      await identity.deleteUser(principal, path.id);
      return { status: 204 };
    },
  };
}

function userRecord({ id, email, display_name, created_at, is_platform_admin }: User) {
  return { id, email, display_name, created_at: created_at.toISOString(), is_platform_admin };
}
