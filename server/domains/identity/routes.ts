import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import { userMembership } from '../orgs/index.ts';
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
          memberships: memberships.map(userMembership),
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

function userRecord(user: User) {
  return pickFields(user, ['id', 'email', 'display_name', 'created_at', 'is_platform_admin']);
}
