import { join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, type JWTVerifyGetKey, SignJWT } from 'jose';
import { readOrCreatePrivateFile } from '../../lib/private-file.ts';
import type { OidcSettings, VerifyToken } from './types.ts';
import { createVerifier } from './verifier.ts';

const KEY_FILE = 'dev-issuer-key.json';
const ALGORITHM = 'ES256';

export const DEVELOPMENT_ISSUER = 'urn:dpa:development-issuer';
const AUDIENCE = 'dpa';
const TOKEN_TTL_S = 12 * 3600;

const SETTINGS: OidcSettings = {
  issuer: DEVELOPMENT_ISSUER,
  audience: [AUDIENCE],
  email_claim: 'email',
  trust_email: false,
  max_token_ttl_s: TOKEN_TTL_S,
};

/**
 * Accepts tokens that `dpa dev-token` signed with the key in the data folder, so that a first run needs no identity
 * provider. The configuration rejects it in production and on any address other than loopback.
 */
export function createDevelopmentVerifier(data_dir: string, now: () => Date): VerifyToken {
  let key: Promise<CryptoKey> | undefined;
  const keys: JWTVerifyGetKey = () => {
    key ??= loadOrCreateKey(data_dir).then(publicHalf);
    return key;
  };
  return createVerifier({ settings: SETTINGS, keys, now });
}

/**
 * Creates a token for `email`. It is valid for twelve hours on the service that uses the same data folder.
 *
 * @throws Error in production, where a real identity provider signs tokens
 */
export async function signDevToken(input: { data_dir: string; email: string; name?: string; production: boolean }) {
  if (input.production) {
    throw new Error('dev tokens are not available when NODE_ENV=production; set OIDC_ISSUER to your identity provider');
  }
  const email = input.email.toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error(`"${input.email}" is not an email address`);
  const jwk = await loadOrCreateKey(input.data_dir);
  const claims = { email, email_verified: true, ...(input.name === undefined ? {} : { name: input.name }) };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(DEVELOPMENT_ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(`dev:${email}`)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_TTL_S}s`)
    .sign(await importKey(jwk));
}

async function publicHalf(jwk: JWK): Promise<CryptoKey> {
  const { d: _private, ...rest } = jwk;
  return importKey(rest);
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  return (await importJWK(jwk, ALGORITHM)) as CryptoKey;
}

async function loadOrCreateKey(data_dir: string): Promise<JWK> {
  return JSON.parse(await readOrCreatePrivateFile(join(data_dir, KEY_FILE), makeKey)) as JWK;
}

async function makeKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}
