import type { Request } from 'express';
import { type Credential, createCredential } from '../../lib/credential.ts';
import { InvalidInput, Unauthenticated } from '../../lib/errors.ts';

const MAX_TOKEN_BYTES = 16 * 1024;
/** @see RFC 6750, section 2.1 */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Credentials that were already read, so that each is hashed once per request. */
const known = new WeakMap<object, Credential>();

/**
 * The only credential of a request.
 *
 * @throws Unauthenticated if there is none, or it is not a bearer token; InvalidInput `ambiguous_credentials`
 */
export function readCredential(req: Pick<Request, 'headersDistinct'>): Credential {
  const credential = known.get(req) ?? parseCredential(req);
  known.set(req, credential);
  return credential;
}

function parseCredential(req: Pick<Request, 'headersDistinct'>): Credential {
  // The joined headers would show only the first of two.
  const { authorization = [], 'x-api-key': api_keys = [] } = req.headersDistinct;
  const sent = authorization.length + api_keys.length;
  if (sent === 0) throw new Unauthenticated('credential required: send Authorization: Bearer <token>');
  if (sent > 1) throw new InvalidInput('send one credential, not several', 'ambiguous_credentials');

  const [api_key] = api_keys;
  if (api_key !== undefined) return createCredential('api_key', fitting(api_key, 'invalid_api_key'));
  const token = BEARER.exec(authorization[0]!)?.[1];
  if (token === undefined) throw new Unauthenticated('the Authorization header must have the form Bearer <token>');
  return createCredential('bearer', fitting(token, 'invalid_token'));
}

function fitting(token: string, error_class: 'invalid_token' | 'invalid_api_key'): string {
  if (token === '' || token.length > MAX_TOKEN_BYTES)
    throw new Unauthenticated('the credential is not valid', error_class);
  return token;
}
