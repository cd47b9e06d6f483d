import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importPKCS8, jwtVerify, SignJWT } from 'jose';
import { describeDeployment } from '../../../server/adapters/workload-identity/index.ts';
import { readSigningKey } from '../../../server/lib/signing-key.ts';

const api_url = 'https://api.example.com';
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

interface Jwks {
  keys: Record<string, unknown>[];
}

describe('the published documents of the deployment', () => {
  let data_dir: string;
  beforeAll(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'dpa-deployment-'));
  });
  afterAll(() => rm(data_dir, { recursive: true }));

  test('the discovery document names the keys', async () => {
    const { configuration } = await describeDeployment({ api_url, signing_key: pem, data_dir });

    expect(configuration).toMatchObject({
      issuer: api_url,
      jwks_uri: `${api_url}/.well-known/jwks.json`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });

  test('the published key verifies signatures of the private key and reveals nothing of it', async () => {
    const jwks = (await describeDeployment({ api_url, signing_key: pem, data_dir })).jwks as Jwks;

    const [jwk] = jwks.keys;
    expect(Object.keys(jwk!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const token = await new SignJWT({ sub: 'x' })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(await importPKCS8(pem, 'ES256'));
    const published = createPublicKey({ key: jwk as never, format: 'jwk' });
    await expect(jwtVerify(token, published)).resolves.toMatchObject({ payload: { sub: 'x' } });
  });

  test('the key id is the same for PEM, single-line PEM, SEC1 and JWK', async () => {
    const forms = [
      pem,
      pem.replaceAll('\n', '\\n'),
      pair.privateKey.export({ type: 'sec1', format: 'pem' }) as string,
      JSON.stringify(pair.privateKey.export({ format: 'jwk' })),
    ];

    const described = await Promise.all(
      forms.map((signing_key) => describeDeployment({ api_url, signing_key, data_dir })),
    );

    expect(new Set(described.map(({ jwks }) => JSON.stringify(jwks))).size).toBe(1);
  });

  test('without a configured key one is created and kept, readable only by its owner', async () => {
    const [first, second] = await Promise.all([
      describeDeployment({ api_url, signing_key: null, data_dir }),
      describeDeployment({ api_url, signing_key: null, data_dir }),
    ]);

    expect(second).toEqual(first);
    const [file] = await readdir(data_dir);
    expect((await stat(join(data_dir, file!))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(data_dir, file!), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });
});

test.each<[string, string]>([
  ['nothing', ''],
  ['a password', 'hunter2'],
  ['half a JWK', '{"kty":"EC"}'],
  ['a public key', pair.publicKey.export({ type: 'spki', format: 'pem' }) as string],
  ['the public part as JWK', JSON.stringify(pair.publicKey.export({ format: 'jwk' }))],
  ['a different curve', exported('P-384')],
  [
    'RSA',
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  ],
])('%s is not a signing key', (_title, text) => {
  expect(() => readSigningKey(text)).toThrow();
});

function exported(namedCurve: string): string {
  return generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
