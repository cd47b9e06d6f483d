import type { Handlers } from '../../contract/operation.ts';
import { entitlementsOf } from '../entitlements/index.ts';
import type { Orgs } from './service.ts';
import type { Org } from './types.ts';

export function orgRoutes(orgs: Orgs): Pick<Handlers, 'createOrg' | 'listOrgs' | 'getOrg'> {
  return {
    async createOrg({ principal, body }) {
      const org = await orgs.create(principal, body);
      return { status: 201, body: orgRecord(org), headers: { Location: `/api/v2/orgs/${org.id}` } };
    },

    async listOrgs({ principal, query }) {
      const { limit, offset } = query;
      const page = await orgs.list(principal, { limit, offset });
      return {
        status: 200,
        body: {
          orgs: page.orgs.map((org) => ({ ...orgRecord(org), role: org.role })),
          total: page.total,
          limit,
          offset,
        },
      };
    },

    async getOrg({ org }) {
      return { status: 200, body: orgRecord(await orgs.get(org.id)) };
    },
  };
}

function orgRecord(org: Org) {
  return {
    id: org.id,
    slug: org.slug,
    display_name: org.display_name,
    plan: org.plan,
    features: [...entitlementsOf(org.plan).features],
    created_at: org.created_at.toISOString(),
  };
}
