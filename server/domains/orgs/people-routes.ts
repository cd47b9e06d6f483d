import { dropTrailing } from '../../../engine/index.ts';
import type { Handlers } from '../../contract/operation.ts';
import { ACCEPT_PATH } from './invitations-service.ts';
import { createdMembership, invitationRecord, memberRecord } from './records.ts';
import type { Orgs } from './service.ts';
import type { CreatedInvitation } from './types.ts';

type PeopleOperations =
  | 'listMembers'
  | 'changeMemberRole'
  | 'removeMember'
  | 'listInvitations'
  | 'createInvitation'
  | 'revokeInvitation'
  | 'acceptInvitation';

export function peopleRoutes(
  { members, invitations }: Orgs,
  { app_url }: { app_url: string | null },
): Pick<Handlers, PeopleOperations> {
  return {
    async listMembers({ principal, org, query }) {
      const { limit, offset } = query;
      const page = await members.list(org.id, { limit, offset });
      const memberships = page.members.map((member) => memberRecord(member, principal.user.id));
      return { status: 200, body: { memberships, total: page.total, limit, offset } };
    },

    async changeMemberRole({ principal, org, path, body }) {
      return { status: 200, body: await members.changeRole(principal, org.id, path.membership_id, body.role) };
    },

    async removeMember({ principal, org, path }) {
      await members.remove(principal, org.id, path.membership_id);
      return { status: 204 };
    },

    async listInvitations({ org }) {
      return { status: 200, body: { invitations: (await invitations.list(org.id)).map(invitationRecord) } };
    },

    async createInvitation({ principal, org, body, once }) {
      const accept = `${dropTrailing(app_url ?? '', '/')}${ACCEPT_PATH}`;
      return once(
        ({ invitation, token }: CreatedInvitation) => ({
          status: 201,
          body: { ...invitationRecord(invitation), accept_url: accept + token },
        }),
        (keep) => invitations.create(principal, org.id, body, keep),
      );
    },

    async revokeInvitation({ principal, org, path }) {
      await invitations.revoke(principal, org.id, path.invitation_id);
      return { status: 204 };
    },

    async acceptInvitation({ principal, body }) {
      return { status: 201, body: createdMembership(await invitations.accept(principal, body.token)) };
    },
  };
}
