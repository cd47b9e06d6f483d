import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { InvalidInput, ServiceError, Unavailable } from '../../lib/errors.ts';
import type { Egress } from '../egress/index.ts';
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts';
import type { WorkloadIssuers, WorkloadToken } from './types.ts';

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const MAX_TOKEN_BYTES = 16_384;
const MAX_LIFETIME_S = 3_600;
const CLOCK_TOLERANCE_S = 30;
const MAX_JTI_LENGTH = 255;
const MAX_SUBJECT_LENGTH = 1_000;

export interface WorkloadIssuersOptions {
  trusted_issuers: readonly string[];
  egress: Egress;
  now: () => Date;
}

/** Verifies tokens of CI systems with every check enabled; see RFC 8725 (JWT best current practices). */
export function createWorkloadIssuers(options: WorkloadIssuersOptions): WorkloadIssuers {
  const keys = createIssuerKeys(options.trusted_issuers, options.egress);
  const { now } = options;
  return {
    isTrusted: keys.isTrusted,
    assertUsable: keys.assertUsable,
    inspect: (token, audience) => inspect(token, audience, now()),
    verify: (token, expected) => verify(token, { ...expected, now: now(), keys }),
  };
}

function inspect(token: string, audience: string, now: Date): string {
  if (token.length > MAX_TOKEN_BYTES) throw refused('it is larger than 16 KiB');
  const payload = readUnverified(token);
  const now_s = Math.floor(now.getTime() / 1000);
  const audiences = [payload.aud].flat();
  if (!audiences.includes(audience)) throw refused(`its audience must be ${audience}`);
  assertTimes(payload, now_s);
  assertText(payload.jti, 'jti', MAX_JTI_LENGTH);
  assertText(payload.sub, 'sub', MAX_SUBJECT_LENGTH);
  if (typeof payload.iss !== 'string') throw refused('it has no iss');
  return payload.iss;
}

function readUnverified(token: string): JWTPayload {
  try {
    const { alg = 'none', typ } = decodeProtectedHeader(token);
    if (!ALGORITHMS.includes(alg)) throw refused('its algorithm is not accepted');
    if (typ !== undefined && String(typ).toUpperCase() !== 'JWT') throw refused('its typ must be JWT');
    return decodeJwt(token);
  } catch (error) {
    throw error instanceof ServiceError ? error : refused('it is not a signed JWT');
  }
}

function assertTimes({ exp, nbf }: JWTPayload, now_s: number): void {
  if (typeof exp !== 'number') throw refused('it has no exp');
  if (exp <= now_s - CLOCK_TOLERANCE_S) throw refused('it has expired');
  if (exp > now_s + MAX_LIFETIME_S + CLOCK_TOLERANCE_S) throw refused('it expires in more than an hour');
  if (nbf !== undefined && !(nbf <= now_s + CLOCK_TOLERANCE_S)) throw refused('it is not valid yet');
}

function assertText(value: unknown, claim: string, max_length: number): asserts value is string {
  const is_text = typeof value === 'string' && value !== '' && value.length <= max_length;
  if (!is_text || /\p{Cc}/u.test(value) || !value.isWellFormed()) throw refused(`it has no usable ${claim}`);
}

interface Expected {
  issuer: string;
  audience: string;
  now: Date;
  keys: IssuerKeys;
}

async function verify(token: string, { issuer, audience, now, keys }: Expected): Promise<WorkloadToken> {
  if (inspect(token, audience, now) !== issuer) throw refused('it was issued by a different issuer');
  try {
    const { payload } = await jwtVerify(token, await keys.loadKeys(issuer), {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub', 'iss', 'aud', 'jti'],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: now,
    });
    return { issuer, subject: String(payload.sub), jti: String(payload.jti), claims: payload };
  } catch (error) {
    throw asServiceError(error);
  }
}

/** An invalid token is an error of the caller; keys that cannot be fetched or read are a problem of the issuer, 503. */
function asServiceError(error: unknown): ServiceError {
  const is_token_fault =
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC';
  if (is_token_fault) return refused('its signature does not verify');
  return new Unavailable('the keys of the issuer of subject_token cannot be fetched; try again', { cause: error });
}

function refused(why: string): InvalidInput {
  return new InvalidInput(`subject_token was rejected: ${why}`, 'invalid_grant');
}
