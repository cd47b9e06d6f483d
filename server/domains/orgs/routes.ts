import type { PathContext } from '../../contract/domain-parts.ts';
import type { Handlers } from '../../contract/operation.ts';
import { adminRoutes } from './admin-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { createdOrg, orgRecord } from './records.ts';
import type { Orgs } from './service.ts';

type OrgOperations =
  | 'createOrg'
  | 'listOrgs'
  | 'getOrg'
  | 'updateOrg'
  | 'getOrgLimits'
  | 'getOrgSettings'
  | 'updateOrgSettings';

/** Records that must exist before the body of a request is validated. */
export function orgPathChecks({ get, members, admin }: Pick<Orgs, 'get' | 'members' | 'admin'>) {
  return {
    overrideOrgPlan: ({ path }: PathContext) => get(path['org_id'] ?? ''),
    setMembershipRole: ({ path }: PathContext) => admin.getOrgId(path['id'] ?? ''),
    changeMemberRole: ({ org_id, path }: PathContext) => members.get(org_id, path['membership_id'] ?? ''),
  };
}

/** @param app_url base URL of the web UI; null = links are paths */
export function orgRoutes(orgs: Orgs, { app_url }: { app_url: string | null }) {
  return {
    ...ownRoutes(orgs),
    ...peopleRoutes(orgs, { app_url }),
    ...adminRoutes(orgs),
  };
}

function ownRoutes(orgs: Orgs): Pick<Handlers, OrgOperations> {
  return {
    async createOrg({ principal, body, once }) {
      return once(createdOrg, (keep) => orgs.create(principal, body, keep));
    },

    async listOrgs({ principal, query }) {
      const { limit, offset } = query;
      const page = await orgs.list(principal, { limit, offset });
      const records = page.orgs.map((org) => ({ ...orgRecord(org), role: org.role }));
      return { status: 200, body: { orgs: records, total: page.total, limit, offset } };
    },

    async getOrg({ org }) {
      return { status: 200, body: orgRecord(await orgs.get(org.id)) };
    },

    async updateOrg({ principal, org, body }) {
      return { status: 200, body: orgRecord(await orgs.update(principal, org.id, body)) };
    },

    async getOrgLimits({ org }) {
      const { plan, limits, features, overrides } = await orgs.limits(org.id);
      return { status: 200, body: { plan, limits, features: [...features], overrides } };
    },

    async getOrgSettings({ org }) {
      return { status: 200, body: await orgs.getSettings(org.id) };
    },

    async updateOrgSettings({ principal, org, body }) {
      return { status: 200, body: await orgs.updateSettings(principal, org.id, body) };
    },
  };
}
