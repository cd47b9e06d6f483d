import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ServiceError, Unauthenticated, Unavailable } from '../../lib/errors.ts';
import { type ProfileClaims, readClaims, type SignedClaims } from './claims.ts';
import { ALGORITHMS, assertTokenForm, refused } from './token.ts';
import type { OidcSettings, TokenClaims, VerifyToken } from './types.ts';

const CLOCK_TOLERANCE_S = 30;

export interface VerifierParts {
  settings: OidcSettings;
  /** Finds the key for the header of a token. */
  keys: JWTVerifyGetKey;
  /** Fetches the person from the provider if the token contains no email; undefined if it cannot. */
  userinfo?: (token: string, expires_at: Date) => Promise<ProfileClaims | undefined>;
  now: () => Date;
}

/**
 * Verifies tokens with every check enabled; by default, jose accepts tokens without `exp` or `iss`, and of any `aud`
 * and `typ`. Keys come only from the provider; key references in a header (`jku`, `x5u`, `jwk`, `x5c`) are ignored.
 *
 * @see RFC 8725 (JWT best current practices)
 */
export function createVerifier({ settings, keys, userinfo, now }: VerifierParts): VerifyToken {
  return async function verify(token: string): Promise<TokenClaims> {
    assertTokenForm(token);
    const payload = await verifiedPayload(token, { settings, keys, now: now() });
    const signed = signedClaims(payload, settings, now());
    if (payload[settings.email_claim] !== undefined) return readClaims(payload, signed, settings);
    const profile = await userinfo?.(token, signed.expires_at);
    return readClaims(profile ?? payload, signed, settings);
  };
}

async function verifiedPayload(
  token: string,
  { settings, keys, now }: { settings: OidcSettings; keys: JWTVerifyGetKey; now: Date },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: settings.issuer,
      audience: settings.audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub', 'iss', 'aud'],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: now,
    });
    return payload;
  } catch (error) {
    throw asServiceError(error);
  }
}

/** The signed claims; their types were checked before. */
function signedClaims(payload: JWTPayload, { max_token_ttl_s }: OidcSettings, now: Date): SignedClaims {
  const now_s = Math.floor(now.getTime() / 1000);
  const { iss = '', sub = '', exp = 0, iat = now_s } = payload;
  if (iat > now_s + CLOCK_TOLERANCE_S) throw refused('the token was issued in the future');
  if (exp - iat > max_token_ttl_s) throw refused('the token is valid for longer than this service accepts');
  return { issuer: iss, subject: sub, expires_at: new Date(exp * 1000) };
}

/** An invalid token is 401; missing or unusable keys are a provider problem, 503. */
function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof errors.JWTExpired) return new Unauthenticated('the token has expired', 'token_expired');
  if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSInvalid)) {
    return refused('the token is not valid');
  }
  return new Unavailable('the keys of the identity provider cannot be used', { cause: error });
}
