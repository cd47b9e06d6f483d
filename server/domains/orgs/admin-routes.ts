import type { Handlers } from '../../contract/operation.ts';
import { createdMembership, orgListItem, orgRecord, userMembership } from './records.ts';
import type { Orgs } from './service.ts';

type AdminOperations =
  | 'listAllOrgs'
  | 'createOrgWithoutOwner'
  | 'overrideOrgPlan'
  | 'createMembership'
  | 'deleteMembership'
  | 'setMembershipRole'
  | 'listUserMemberships';

export function adminRoutes({ admin, createWithoutOwner }: Orgs): Pick<Handlers, AdminOperations> {
  return {
    async listAllOrgs({ query }) {
      const { limit, offset, q } = query;
      const { orgs, total } = await admin.list({ limit, offset, q });
      return { status: 200, body: orgs.map(orgListItem), page: { total, limit, offset } };
    },

    async createOrgWithoutOwner({ principal, body }) {
      const org = await createWithoutOwner(principal, body);
      return { status: 201, body: orgRecord(org), headers: { Location: `/api/v2/orgs/${org.id}` } };
    },

    async overrideOrgPlan({ principal, path, body }) {
      return { status: 200, body: orgRecord(await admin.overridePlan(principal, path.org_id, body)) };
    },

    async createMembership({ principal, body }) {
      const org_id = body.org_id.toLowerCase();
      const user_id = body.user_id.toLowerCase();
      const membership = await admin.createMembership(principal, { org_id, user_id, role: body.role });
      return { status: 201, body: createdMembership(membership) };
    },

    async deleteMembership({ principal, path }) {
      await admin.deleteMembership(principal, path.id);
      return { status: 204 };
    },

    async setMembershipRole({ principal, path, body }) {
      return { status: 200, body: await admin.setMembershipRole(principal, path.id, body.role) };
    },

    async listUserMemberships({ path }) {
      return { status: 200, body: (await admin.listUserMemberships(path.id)).map(userMembership) };
    },
  };
}
