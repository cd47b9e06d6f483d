/** Who is asking, as established from a credential; what they may do is decided per operation from `x-access`. */
export interface Principal {
  /** An API key stands for its owner, but never carries the platform-admin flag. */
  user: { id: string; email: string; display_name: string; is_platform_admin: boolean };
  credential: 'oidc' | 'api_key';
  /** Stable id of the credential's holder, for rate limits and idempotency: the user id, or the key id. */
  credential_id: string;
  /** null for a person. */
  key: KeyGrant | null;
}

/** Made by a person, by an integration, or by a token exchange. */
export type KeyKind = 'standard' | 'integration' | 'ephemeral';

/** What an API key opens: one org, and there what its scopes name. */
export interface KeyGrant {
  id: string;
  /** A key of an integration stands for the org: it goes on when whoever linked that leaves. */
  kind: KeyKind;
  org_id: string;
  scopes: readonly string[];
}

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
/** Least role first, so that an index compares. */
export type Role = (typeof ROLES)[number];

/** The org of the path, as the caller may see it. */
export interface OrgContext {
  id: string;
  /** null: an API key whose owner does not belong to the org any more. */
  role: Role | null;
}
