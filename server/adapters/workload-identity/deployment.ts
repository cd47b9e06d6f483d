import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { readOrCreatePrivateFile } from '../../lib/private-file.ts';
import { readSigningKey } from '../../lib/signing-key.ts';
import type { DeploymentDocuments } from './types.ts';

const KEY_FILE = 'federation-signing-key.pem';

export interface DeploymentOptions {
  /** Public base URL of the API, without a trailing slash. */
  api_url: string;
  /** PEM or JWK; null = a key that is created and stored in `data_dir`. */
  signing_key: string | null;
  data_dir: string;
}

/**
 * The documents that clouds fetch before they accept a token of this deployment: the issuer, and the public key.
 *
 * @see OpenID Connect Discovery 1.0, section 3; RFC 7517; RFC 7638 for the key id
 */
export async function describeDeployment(options: DeploymentOptions): Promise<DeploymentDocuments> {
  const { api_url, signing_key, data_dir } = options;
  const text = signing_key ?? (await readOrCreatePrivateFile(join(data_dir, KEY_FILE), makeKey));
  const { kty, crv, x, y } = createPublicKey(readSigningKey(text)).export({ format: 'jwk' });
  const jwk = { kty, crv, x, y } as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return {
    configuration: {
      issuer: api_url,
      jwks_uri: `${api_url}/.well-known/jwks.json`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      scopes_supported: ['openid'],
      claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'],
    },
    jwks: { keys: [{ ...jwk, kid, use: 'sig', alg: 'ES256' }] },
  };
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
