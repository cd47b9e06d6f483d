import type { Handlers } from '../../contract/operation.ts';
import type { Identity } from './service.ts';

export function identityRoutes(identity: Identity): Pick<Handlers, 'getMe'> {
  return {
    async getMe({ principal }) {
      const { created_at, memberships } = await identity.me(principal);
      const { id, email, display_name, is_platform_admin } = principal.user;
      return {
        status: 200,
        body: {
          user: { id, email, display_name, created_at: created_at.toISOString(), is_platform_admin },
          auth: { type: principal.credential, key_id: null, org_id: null, scopes: null },
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
  };
}
