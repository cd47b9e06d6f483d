/** A verified sign-in, as the identity domain needs it. */
export interface TokenClaims {
  issuer: string;
  subject: string;
  /** In lower case. */
  email: string;
  display_name: string;
  expires_at: Date;
}

/**
 * Verifies an access token and reads its claims.
 *
 * @throws Unauthenticated (401) if the token is not acceptable; Unavailable (503) if the provider's keys cannot be
 *   fetched
 */
export type VerifyToken = (token: string) => Promise<TokenClaims>;

export interface OidcSettings {
  issuer: string;
  /** A token must have one of these values in `aud`. */
  audience: string[];
  jwks_uri?: string | undefined;
  email_claim: string;
  /** Accept an email even if the token does not contain `email_verified`. */
  trust_email: boolean;
  /** Maximum accepted lifetime of a token, in seconds. */
  max_token_ttl_s: number;
}
