import { Unauthenticated } from '../../lib/errors.ts';
import { isObject } from '../../lib/is-object.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';

export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const MAX_TOKEN_BYTES = 16_384;
const MAX_DEPTH = 16;
const MAX_SUBJECT_LENGTH = 255;
const TOKEN_TYPES = new Set(['JWT', 'AT+JWT', 'APPLICATION/AT+JWT']);
/** Three non-empty parts without padding. Encrypted tokens have five parts and unsigned ones two. */
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

type Json = Record<string, unknown>;

/**
 * Checks the form of a token before any key is looked up: it has one unambiguous reading, and its claims have the types
 * that later code relies on. Does not verify the signature.
 *
 * @throws Unauthenticated `invalid_token`
 * @see RFC 7515, section 3.1; RFC 8725, sections 3.1 to 3.11; RFC 9068 (`at+jwt`)
 */
export function assertTokenForm(token: string): void {
  if (token.length > MAX_TOKEN_BYTES) throw refused('the token is larger than 16 KiB');
  if (!COMPACT_JWS.test(token)) throw refused('the token is not a signed JSON Web Token');
  const [header, payload] = token.split('.').map(decodePart) as [Buffer, Buffer, Buffer];
  assertHeader(readObject(header));
  assertTypes(readObject(payload));
}

/** @throws Unauthenticated if another text would decode to the same bytes */
function decodePart(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw refused('the token is not canonically encoded');
  return bytes;
}

function readObject(bytes: Buffer): Json {
  let value: unknown;
  try {
    value = parseStrictJson(bytes, { max_depth: MAX_DEPTH });
  } catch {
    throw refused('the token contains invalid JSON');
  }
  if (!isObject(value)) throw refused('the token contains JSON that is not an object');
  return value;
}

function assertHeader({ alg, typ, kid, crit, b64 }: Json): void {
  if (typeof alg !== 'string' || !ALGORITHMS.includes(alg)) {
    throw refused(`tokens must be signed with one of ${ALGORITHMS.join(', ')}`);
  }
  if (typ !== undefined && !(typeof typ === 'string' && TOKEN_TYPES.has(typ.toUpperCase()))) {
    throw refused('tokens of this typ are not accepted; send an access token');
  }
  if (kid !== undefined && typeof kid !== 'string') throw refused('the kid of the token must be a string');
  if (crit !== undefined || b64 !== undefined) throw refused('tokens with critical extensions are not accepted');
}

function assertTypes(claims: Json): void {
  for (const name of ['exp', 'iat', 'nbf']) {
    const value = claims[name];
    if (value !== undefined && !(typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
      throw refused(`the claim "${name}" of the token is not a valid time`);
    }
  }
  if (!isSubject(claims['sub'])) throw refused('the claim "sub" of the token is not a valid string');
  if (typeof claims['iss'] !== 'string') throw refused('the claim "iss" of the token must be a string');
  if (!isAudience(claims['aud'])) throw refused('the claim "aud" of the token must be a string or a list of strings');
  // A logout token or another security event is not an access token, whoever signed it.
  if (claims['events'] !== undefined) throw refused('the token is a security event; send an access token');
}

/**
 * A string that can be stored unchanged: two different subjects must not become equal, and none can contain hidden
 * characters.
 */
function isSubject(value: unknown): boolean {
  return typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(value) && value.length <= MAX_SUBJECT_LENGTH;
}

function isAudience(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

export function refused(message: string): Unauthenticated {
  return new Unauthenticated(message, 'invalid_token');
}
