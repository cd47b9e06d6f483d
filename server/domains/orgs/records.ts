/** The public fields of each record. */
import { resolveEntitlements } from '../entitlements/index.ts';
import type { Invitation, Member, Membership, Org, OrgWithCount, UserMembership } from './types.ts';

export function orgRecord({ id, slug, display_name, plan, created_at }: Org) {
  const features = [...resolveEntitlements(plan).features];
  return { id, slug, display_name, plan, features, created_at: created_at.toISOString() };
}

export function createdOrg(org: Org) {
  return { status: 201 as const, body: orgRecord(org), headers: { Location: `/api/v2/orgs/${org.id}` } };
}

export function orgListItem({ created_at, display_name, id, member_count, plan, slug }: OrgWithCount) {
  return { created_at: created_at.toISOString(), display_name, id, member_count, plan, slug };
}

export function memberRecord(member: Member, callerId: string) {
  const { id, user_id, email, display_name, role } = member;
  return {
    id,
    user_id,
    email,
    display_name,
    role,
    created_at: member.created_at.toISOString(),
    accepted_at: timestamp(member.accepted_at),
    expires_at: timestamp(member.expires_at),
    last_active_at: timestamp(member.last_active_at),
    is_self: user_id === callerId,
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

export function userMembership({ accepted_at, id, org_id, org_slug, role }: UserMembership) {
  return { accepted_at: timestamp(accepted_at), id, org_id, org_slug, role };
}

export function invitationRecord({ id, email, role, invited_by, created_at, expires_at, status }: Invitation) {
  return {
    id,
    email,
    role,
    invited_by: { id: invited_by.id, email: invited_by.email },
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    status,
  };
}

function timestamp(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
