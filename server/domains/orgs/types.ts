import type { Role } from '../../lib/principal.ts';
import type { LimitName, Plan } from '../entitlements/index.ts';

export interface Page {
  limit: number;
  offset: number;
}

export interface Org {
  id: string;
  slug: string;
  display_name: string;
  plan: Plan;
  created_at: Date;
}

export interface OrgWithRole extends Org {
  role: Role;
}

export interface OrgWithCount extends Org {
  /** Active memberships of existing users. */
  member_count: number;
}

export interface OrgInput {
  slug: string;
  display_name: string;
}

/** @see openapi.yaml, OrgSettings */
export interface OrgSettings {
  state_source_secrets: 'verbatim' | 'admins_only' | 'write_only';
  default_notify_channel: string | null;
  /** Such as `22:00-07:00`. */
  notify_quiet_hours: string | null;
  /** Such as `08:30`. */
  notify_digest_at: string | null;
  notify_timezone: string;
  pr_comment_mode: 'upsert' | 'new' | 'off';
  pr_fail_on: 'none' | 'low' | 'medium' | 'high' | 'critical' | null;
  fork_pr_policy: 'comment' | 'analyze_only' | 'ignore';
  send_values_to_llm: 'redacted' | 'names_only';
  count_llm_concerns: boolean;
}

/** One limit of an organization and its usage. */
export interface LimitUse {
  resource: LimitName;
  limit: number;
  used: number;
}

/** A user in an org, as stored. */
export interface Membership {
  id: string;
  org_id: string;
  user_id: string;
  role: Role;
  invited_by: string | null;
  accepted_at: Date | null;
  /** After this time, the membership gives no access and uses no seat. */
  expires_at: Date | null;
  last_active_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A membership as members of the organization see it. */
export interface Member extends Membership {
  email: string;
  display_name: string;
}

export interface RoleChange {
  membership_id: string;
  org_id: string;
  user_id: string;
  /** The current role. */
  role: Role;
  /** Whether the role was already set. */
  noop: boolean;
}

/** A membership of a user, with the organization's slug. */
export interface UserMembership {
  id: string;
  org_id: string;
  org_slug: string;
  role: Role;
  accepted_at: Date | null;
}

export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired';

export interface Invitation {
  id: string;
  org_id: string;
  email: string;
  role: Role;
  status: InvitationStatus;
  invited_by: { id: string; email: string };
  created_at: Date;
  expires_at: Date;
}

/** A new invitation with its token, which is shown only once. */
export interface CreatedInvitation {
  invitation: Invitation;
  token: string;
}

/** A person who was invited, with the secret of the invitation. */
export interface InvitedPerson {
  org_id: string;
  org_name: string;
  email: string;
  role: Role;
  /** Email of the person who invites. */
  invited_by: string;
  expires_at: Date;
  /** Path of the page on which the person accepts, with the token. */
  accept_path: string;
}

/** Whether a person with this email can sign in; passed in by the composition. */
export type MaySignIn = (person: { email: string; issuer: string }) => Promise<boolean>;
