import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { readOrCreatePrivateFile } from '../../lib/private-file.ts';
import { readSigningKeys, type SigningKey } from '../../lib/signing-keys.ts';

const EC_FILE = 'federation-signing-key.pem';
const RSA_FILE = 'federation-signing-key-rsa.pem';
const RSA_BITS = 2_048;
const generate = promisify(generateKeyPair);

export interface DeploymentKey extends SigningKey {
  /** The public part, as published. */
  jwk: JWK & { kid: string };
}

export interface KeySources {
  signing_key: string | null;
  data_dir: string;
}

/** The configured keys, or one per algorithm from the data folder, where they are created on first use. */
export async function loadDeploymentKeys({ signing_key, data_dir }: KeySources): Promise<DeploymentKey[]> {
  const text = signing_key ?? (await readOrCreateKeys(data_dir));
  return Promise.all(readSigningKeys(text).map(publish));
}

async function readOrCreateKeys(data_dir: string): Promise<string> {
  const keys = await Promise.all([
    readOrCreatePrivateFile(join(data_dir, EC_FILE), async () =>
      toPem((await generate('ec', { namedCurve: 'P-256' })).privateKey),
    ),
    readOrCreatePrivateFile(join(data_dir, RSA_FILE), async () =>
      toPem((await generate('rsa', { modulusLength: RSA_BITS })).privateKey),
    ),
  ]);
  return keys.join('\n');
}

/** @see RFC 7638 for the key id, RFC 7518, section 6, for the public members */
async function publish(key: SigningKey): Promise<DeploymentKey> {
  const { kty, crv, x, y, n, e } = createPublicKey(key.private_key).export({ format: 'jwk' });
  const members = (key.algorithm === 'ES256' ? { kty, crv, x, y } : { kty, n, e }) as JWK;
  const kid = await calculateJwkThumbprint(members);
  return { ...key, jwk: { ...members, kid, use: 'sig', alg: key.algorithm } };
}

function toPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}
