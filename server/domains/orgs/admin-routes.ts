import type { Handlers } from '../../contract/operation.ts';
import { createdMembership, createdOrg, orgListItem, orgRecord, userMembership } from './records.ts';
import type { Orgs } from './service.ts';
import type { Membership } from './types.ts';

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

    async createOrgWithoutOwner({ principal, body, once }) {
      return once(createdOrg, (keep) => createWithoutOwner(principal, body, keep));
    },

    async overrideOrgPlan({ principal, path, body }) {
      return { status: 200, body: orgRecord(await admin.overridePlan(principal, path.org_id, body)) };
    },

    async createMembership({ principal, body, once }) {
      const org_id = body.org_id.toLowerCase();
      const user_id = body.user_id.toLowerCase();
      return once(
        (membership: Membership) => ({ status: 201, body: createdMembership(membership) }),
        (keep) => admin.createMembership(principal, { org_id, user_id, role: body.role }, keep),
      );
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
