/** The authenticated caller. `x-access` of each operation decides what the caller can do. */
export interface Principal {
  /** An API key acts for its owner, but never as a platform admin. */
  user: { id: string; email: string; display_name: string; is_platform_admin: boolean };
  credential: 'oidc' | 'api_key';
  /** Stable id of the caller, for rate limits and idempotency: the user id, or the key id. */
  credential_id: string;
  /** null for a person. */
  key: KeyGrant | null;
}

/** Created by a person, by an integration, or by a token exchange. */
export type KeyKind = 'standard' | 'integration' | 'ephemeral';

/** What an API key gives access to: one organization, with its scopes. */
export interface KeyGrant {
  id: string;
  /** A key of an integration acts for the organization: it stays valid after the person who linked it leaves. */
  kind: KeyKind;
  org_id: string;
  scopes: readonly string[];
}

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
/** Lowest role first, so that roles can be compared by index. */
export type Role = (typeof ROLES)[number];

/** The organization of the path, for the caller. */
export interface OrgContext {
  id: string;
  /** null: an API key whose owner is no longer a member of the organization. */
  role: Role | null;
}
