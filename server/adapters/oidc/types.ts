/** A verified login, as the identity domain needs it. */
export interface TokenClaims {
  issuer: string;
  subject: string;
  /** Lower-cased. */
  email: string;
  display_name: string;
  expires_at: Date;
}

/**
 * Verifies an access token and reads its claims.
 *
 * @throws Unauthenticated (401) when the token is not acceptable; Unavailable (503) when the provider's keys are out of reach
 */
export type VerifyToken = (token: string) => Promise<TokenClaims>;

export interface OidcSettings {
  issuer: string;
  /** A token must carry one of these in `aud`. */
  audience: string[];
  jwks_uri?: string | undefined;
  email_claim: string;
  /** Accept an email although the token does not say `email_verified`. */
  trust_email: boolean;
  /** Longest accepted lifetime of a token, in seconds. */
  max_token_ttl_s: number;
}
