import type { Db } from '../../db/index.ts';

/** A condition on a claim: `eq` compares the whole text; in `glob`, `*` matches any text. */
export interface TrustCondition {
  claim: string;
  op: 'eq' | 'glob';
  value: string;
}

export const FEDERATION_SCOPES = ['analysis:read', 'analysis:write', 'scans:read', 'scans:write'] as const;
export type FederationScope = (typeof FEDERATION_SCOPES)[number];

export interface TrustInput {
  name: string;
  issuer: string;
  /** At least one. */
  conditions: TrustCondition[];
  /** At least one, without duplicates. */
  scopes: FederationScope[];
  /** Lifetime of keys in seconds, from 60 to 900. */
  ttl_seconds: number;
  enabled?: boolean;
}

export interface FederationTrust extends Required<TrustInput> {
  id: string;
  created_by: { id: string; email: string };
  created_at: Date;
  last_used_at: Date | null;
}

/** A trust as an exchange needs it. */
export interface TrustCandidate {
  id: string;
  name: string;
  conditions: TrustCondition[];
  scopes: FederationScope[];
  ttl_seconds: number;
  created_by: string;
  /** Whether its creator, for whom its keys act, is still a member of the organization. */
  owner_is_live: boolean;
}

/** @see RFC 8693, section 2.1 */
export interface ExchangeForm {
  grant_type: string;
  subject_token: string;
  subject_token_type: string;
  audience: string;
  scope?: string;
}

/** @see RFC 8693, section 2.2 */
export interface ExchangedKey {
  access_token: string;
  expires_in: number;
  scopes: FederationScope[];
  org_id: string;
}

/** The identity of this deployment at clouds and CI. */
export interface FederationSettings {
  /**
   * Public base URL of the API, without a trailing slash: issuer of outgoing tokens, audience of incoming ones. null =
   * unset.
   */
  api_url: string | null;
  /** The deployment's name at clouds, such as `deployment:prod-eu`; null = unset. */
  subject: string | null;
  aws_principal_arn: string | null;
  gcp_audience: string | null;
  trusted_issuers: readonly string[];
}

/** Functions of the API keys domain for an exchange, each within the caller's transaction. */
export interface EphemeralKeys {
  mintEphemeral(
    trx: Db,
    orgId: string,
    key: { name: string; scopes: string[]; user_id: string; trust_id: string; expires_at: Date },
  ): Promise<{ id: string; token: string }>;
  /** @returns the ids of the keys that were active until now */
  revokeKeysByTrust(trx: Db, orgId: string, trustId: string, by: { user_id: string; at: Date }): Promise<string[]>;
}
