/** The public fields of each record. */
import { pickFields } from '../../contract/pick-fields.ts';
import { resolveEntitlements } from '../entitlements/index.ts';
import type { Invitation, Member, Membership, Org, OrgWithCount, UserMembership } from './types.ts';

export function orgRecord({ id, slug, display_name, plan, created_at }: Org) {
  const features = [...resolveEntitlements(plan).features];
  return { id, slug, display_name, plan, features, created_at: created_at.toISOString() };
}

export function createdOrg(org: Org) {
  return { status: 201 as const, body: orgRecord(org), headers: { Location: `/api/v2/orgs/${org.id}` } };
}

export function orgListItem(org: OrgWithCount) {
  return pickFields(org, ['created_at', 'display_name', 'id', 'member_count', 'plan', 'slug']);
}

export function memberRecord(member: Member, callerId: string) {
  const times = ['created_at', 'accepted_at', 'expires_at', 'last_active_at'] as const;
  return {
    ...pickFields(member, ['id', 'user_id', 'email', 'display_name', 'role', ...times]),
    is_self: member.user_id === callerId,
  };
}

/** The only record of the contract with camelCase names. */
export function createdMembership(membership: Membership) {
  return {
    acceptedAt: timestamp(membership.accepted_at),
    createdAt: membership.created_at.toISOString(),
    expiresAt: timestamp(membership.expires_at),
    id: membership.id,
    invitedBy: membership.invited_by,
    lastActiveAt: timestamp(membership.last_active_at),
    orgID: membership.org_id,
    role: membership.role,
    updatedAt: membership.updated_at.toISOString(),
    userID: membership.user_id,
  };
}

export function userMembership(membership: UserMembership) {
  return pickFields(membership, ['accepted_at', 'id', 'org_id', 'org_slug', 'role']);
}

export function invitationRecord(invitation: Invitation) {
  return {
    ...pickFields(invitation, ['id', 'email', 'role', 'created_at', 'expires_at', 'status']),
    invited_by: pickFields(invitation.invited_by, ['id', 'email']),
  };
}

function timestamp(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
