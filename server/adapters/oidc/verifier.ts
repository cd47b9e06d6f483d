import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ServiceError, Unauthenticated, Unavailable } from '../../lib/errors.ts';
import { type ProfileClaims, readClaims } from './claims.ts';
import type { OidcSettings, TokenClaims, VerifyToken } from './types.ts';

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const MAX_TOKEN_BYTES = 16_384;
const CLOCK_TOLERANCE_S = 30;
const TOKEN_TYPES = new Set(['JWT', 'AT+JWT', 'APPLICATION/AT+JWT']);

export interface VerifierParts {
  settings: OidcSettings;
  /** Finds the key for a token's header. */
  keys: JWTVerifyGetKey;
  /** Asks the provider's userinfo endpoint; used when the access token itself carries no email. */
  userinfo?: (token: string) => Promise<ProfileClaims>;
}

/**
 * A verifier with every check switched on: jose by itself accepts tokens without `exp`, `iss`, `aud` and of any `typ`.
 *
 * @see RFC 8725 (JWT best current practices), RFC 9068 (`at+jwt`)
 */
export function createVerifier({ settings, keys, userinfo }: VerifierParts): VerifyToken {
  return async function verify(token: string): Promise<TokenClaims> {
    const payload = await verifiedPayload(token, settings, keys);
    assertLifetime(payload, settings.max_token_ttl_s);
    const has_email = typeof payload[settings.email_claim] === 'string';
    const profile = has_email || userinfo === undefined ? payload : { ...payload, ...(await userinfo(token)) };
    return readClaims(profile, payload, settings);
  };
}

async function verifiedPayload(token: string, settings: OidcSettings, keys: JWTVerifyGetKey): Promise<JWTPayload> {
  if (token.length > MAX_TOKEN_BYTES) {
    throw new Unauthenticated('the token is larger than 16 KiB', 'invalid_token');
  }
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: settings.issuer,
      audience: settings.audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub', 'iss', 'aud'],
      clockTolerance: CLOCK_TOLERANCE_S,
    });
    const { typ } = protectedHeader;
    if (typ !== undefined && !TOKEN_TYPES.has(typ.toUpperCase())) {
      throw new Unauthenticated(`tokens of typ "${typ}" are not accepted`, 'invalid_token');
    }
    return payload;
  } catch (error) {
    throw asServiceError(error);
  }
}

function assertLifetime(payload: JWTPayload, max_ttl_s: number): void {
  const issued_at = payload.iat ?? Math.floor(Date.now() / 1000);
  if ((payload.exp ?? 0) - issued_at > max_ttl_s) {
    throw new Unauthenticated('the token is valid for longer than this service accepts', 'invalid_token');
  }
}

/** A fault of the token is 401; keys that cannot be fetched are our side's trouble, 503. */
function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof errors.JWTExpired) return new Unauthenticated('the token has expired', 'token_expired');
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || isFetchFailure(error)) {
    return new Unavailable('the identity provider cannot be reached', { cause: error });
  }
  return new Unauthenticated('the token is not valid', 'invalid_token');
}

/** jose reports a JWKS answer other than 200, or one that is no JSON, by a bare JOSEError. */
function isFetchFailure(error: errors.JOSEError): boolean {
  return error.code === 'ERR_JOSE_GENERIC';
}
