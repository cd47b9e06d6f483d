import type { components } from '../../contract/openapi.d.ts';
import type { KeyGrant, KeyKind } from '../../lib/principal.ts';

/** What a key can do; `read` and `write` include many. */
export type Scope = components['schemas']['Scope'];

export interface Person {
  id: string;
  email: string;
}

/** A key without its secret. */
export interface ApiKey {
  id: string;
  name: string;
  key_prefix: string;
  scopes: string[];
  kind: KeyKind;
  created_by: Person;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  revoked_by: Person | null;
}

/** A new key with its secret, which is shown only once. */
export interface CreatedApiKey {
  record: ApiKey;
  key: string;
}

export interface ApiKeyInput {
  name: string;
  scopes: readonly Scope[];
  /** RFC 3339; null or absent = the key does not expire. */
  expires_at?: string | null | undefined;
}

export interface KeyFilter {
  include_ephemeral: boolean;
  include_revoked: boolean;
}

/** A row to insert. */
export interface NewKey {
  name: string;
  kind: KeyKind;
  hash: Buffer;
  key_prefix: string;
  scopes: readonly string[];
  user_id: string;
  trust_id: string | null;
  expires_at: Date | null;
  created_at: Date;
}

/** A key that a token exchange creates for CI. */
export interface EphemeralKey {
  name: string;
  scopes: readonly string[];
  /** The user that the key acts for: the creator of the trust. */
  user_id: string;
  trust_id: string;
  expires_at: Date;
}

/** A key with which the service itself acts for an organization. */
export interface IntegrationKey {
  /** What it acts for, such as the repository. */
  name: string;
  /** The person who linked it. */
  user_id: string;
}

/** The key that was presented, and the user it acts for. */
export interface AuthenticatedKey {
  key: KeyGrant;
  /** `issuer` verified the owner's email. */
  owner: { id: string; email: string; display_name: string; issuer: string };
  expires_at: Date | null;
}
