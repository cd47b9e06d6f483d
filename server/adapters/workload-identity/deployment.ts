import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { calculateJwkThumbprint, type JWK, SignJWT } from 'jose';
import { readOrCreatePrivateFile } from '../../lib/private-file.ts';
import { readSigningKey } from '../../lib/signing-key.ts';
import type { Deployment } from './types.ts';

const KEY_FILE = 'federation-signing-key.pem';
const ALGORITHM = 'ES256';
/** A cloud exchanges a token at once; nothing needs it for longer. */
const TOKEN_TTL_S = 600;
/** A token is valid a little earlier, for clouds whose clocks are behind. */
const CLOCK_SKEW_S = 30;

export interface DeploymentOptions {
  /** Public base URL of the API, without a trailing slash. */
  api_url: string;
  /** PEM or JWK; null = a key that is created and stored in `data_dir`. */
  signing_key: string | null;
  data_dir: string;
  now: () => Date;
}

/**
 * The identity of this deployment at clouds: the documents that they fetch, and the tokens that they accept after that.
 *
 * @see OpenID Connect Discovery 1.0, section 3; RFC 7517; RFC 7638 for the key id
 */
export async function openDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { api_url, signing_key, data_dir, now } = options;
  const text = signing_key ?? (await readOrCreatePrivateFile(join(data_dir, KEY_FILE), makeKey));
  const private_key = readSigningKey(text);
  const { kty, crv, x, y } = createPublicKey(private_key).export({ format: 'jwk' });
  const jwk = { kty, crv, x, y } as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return {
    documents: {
      configuration: describeIssuer(api_url),
      jwks: { keys: [{ ...jwk, kid, use: 'sig', alg: ALGORITHM }] },
    },
    signToken: ({ subject, audience }) => {
      const issued_at = Math.floor(now().getTime() / 1_000);
      return new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
        .setIssuer(api_url)
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt(issued_at)
        .setNotBefore(issued_at - CLOCK_SKEW_S)
        .setExpirationTime(issued_at + TOKEN_TTL_S)
        .setJti(randomUUID())
        .sign(private_key);
    },
  };
}

function describeIssuer(api_url: string): object {
  return {
    issuer: api_url,
    jwks_uri: `${api_url}/.well-known/jwks.json`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
    scopes_supported: ['openid'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'],
  };
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
