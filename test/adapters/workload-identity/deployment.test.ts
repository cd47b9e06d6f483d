import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, importPKCS8, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { openDeployment } from '../../../server/adapters/workload-identity/index.ts';
import { readSigningKeys } from '../../../server/lib/signing-keys.ts';

const api_url = 'https://api.example.com';
const now = () => new Date('2026-05-01T12:00:00.000Z');
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const rsa_pem = makeRsa(2_048);
const both = `${pem}${rsa_pem}`;

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
    const { configuration } = (await openDeployment({ api_url, signing_key: both, data_dir, now })).documents;

    expect(configuration).toMatchObject({
      issuer: api_url,
      jwks_uri: `${api_url}/.well-known/jwks.json`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    });
  });

  test('nothing of an RSA key but its public part is published', async () => {
    const jwks = (await openDeployment({ api_url, signing_key: rsa_pem, data_dir, now })).documents.jwks as Jwks;

    const [jwk] = jwks.keys;
    expect(Object.keys(jwk!).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  test('the published key verifies signatures of the private key and reveals nothing of it', async () => {
    const jwks = (await openDeployment({ api_url, signing_key: pem, data_dir, now })).documents.jwks as Jwks;

    const [jwk] = jwks.keys;
    expect(Object.keys(jwk!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const token = await new SignJWT({ sub: 'x' })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(await importPKCS8(pem, 'ES256'));
    const published = createPublicKey({ key: jwk as never, format: 'jwk' });
    await expect(jwtVerify(token, published)).resolves.toMatchObject({ payload: { sub: 'x' } });
  });

  test('the key id is the same for PEM, single-line PEM, SEC1, JWK and JWK set', async () => {
    const forms = [
      pem,
      pem.replaceAll('\n', '\\n'),
      pair.privateKey.export({ type: 'sec1', format: 'pem' }) as string,
      JSON.stringify(pair.privateKey.export({ format: 'jwk' })),
      JSON.stringify({ keys: [pair.privateKey.export({ format: 'jwk' })] }),
    ];

    const described = await Promise.all(
      forms.map((signing_key) => openDeployment({ api_url, signing_key, data_dir, now })),
    );

    expect(new Set(described.map(({ documents }) => JSON.stringify(documents.jwks))).size).toBe(1);
  });

  test('without configured keys one of each algorithm is created and kept, readable only by its owner', async () => {
    const [first, second] = await Promise.all([
      openDeployment({ api_url, signing_key: null, data_dir, now }),
      openDeployment({ api_url, signing_key: null, data_dir, now }),
    ]);

    expect(second.documents).toEqual(first.documents);
    expect((first.documents.jwks as Jwks).keys.map(({ alg }) => alg)).toEqual(['ES256', 'RS256']);
    const files = await readdir(data_dir);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect((await stat(join(data_dir, file))).mode & 0o777).toBe(0o600);
      expect(await readFile(join(data_dir, file), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    }
  });
});

describe('a token for a cloud', () => {
  const open = () => openDeployment({ api_url, signing_key: pem, data_dir: '', now });
  const claims = { subject: 'deployment:test:org:1', audience: 'sts.amazonaws.com' };

  test('it is verified with the published key and names issuer, subject and audience', async () => {
    const { documents, signToken } = await open();
    const keys = createLocalJWKSet(documents.jwks as JSONWebKeySet);

    const { payload, protectedHeader } = await jwtVerify(await signToken(claims), keys, {
      issuer: api_url,
      audience: claims.audience,
      currentDate: now(),
    });

    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'JWT' });
    expect(payload.sub).toBe(claims.subject);
  });

  test('it is valid for ten minutes', async () => {
    const { documents, signToken } = await open();
    const keys = createLocalJWKSet(documents.jwks as JSONWebKeySet);
    const token = await signToken(claims);
    const verifyAt = (seconds: number) =>
      jwtVerify(token, keys, { currentDate: new Date(now().getTime() + seconds * 1_000) });

    await expect(verifyAt(599)).resolves.toBeDefined();
    await expect(verifyAt(600)).rejects.toThrow('exp');
    await expect(verifyAt(-31)).rejects.toThrow('nbf');
  });

  test('every token has its own id', async () => {
    const { signToken } = await open();
    const tokens = await Promise.all([signToken(claims), signToken(claims)]);

    expect(new Set(tokens.map((token) => decodeJwt(token).jti)).size).toBe(2);
  });
});

/** What each cloud checks of a token: the algorithms that it accepts, and its audience. */
describe.each([
  ['AWS', { algorithms: ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'], audience: 'sts.amazonaws.com' }],
  ['Google Cloud', { algorithms: ['RS256', 'ES256'], audience: 'https://iam.googleapis.com/projects/1/x' }],
  ['Azure', { algorithms: ['RS256'], audience: 'api://AzureADTokenExchange' }],
])('%s verifies a token', (cloud, { algorithms, audience }) => {
  const needed = cloud === 'Azure' ? ({ algorithm: 'RS256' } as const) : {};

  async function verifyAt(trusted: string, signing: string) {
    const { documents } = await openDeployment({ api_url, signing_key: trusted, data_dir: '', now });
    const { signToken } = await openDeployment({ api_url, signing_key: signing, data_dir: '', now });
    const keys = createLocalJWKSet(documents.jwks as JSONWebKeySet);
    const token = await signToken({ subject: 'deployment:test:org:1', audience, ...needed });
    return jwtVerify(token, keys, { issuer: api_url, audience, algorithms, currentDate: now() });
  }

  test('of a deployment with a key of each algorithm', async () => {
    const { protectedHeader } = await verifyAt(both, both);

    expect(protectedHeader.alg).toBe(cloud === 'Azure' ? 'RS256' : 'ES256');
  });

  test('of a deployment that has only an RSA key', async () => {
    await expect(verifyAt(rsa_pem, rsa_pem)).resolves.toMatchObject({ protectedHeader: { alg: 'RS256' } });
  });

  test('at every step of a rotation, with the keys that it fetched a step earlier', async () => {
    const next = `${exported('P-256')}${makeRsa(2_048)}`;

    await expect(verifyAt(both, both + next)).resolves.toBeDefined();
    await expect(verifyAt(both + next, next + both)).resolves.toBeDefined();
    await expect(verifyAt(next + both, next)).resolves.toBeDefined();
    await expect(verifyAt(both, next)).rejects.toThrow('no applicable key');
  });
});

test('a deployment without an RSA key signs no token for Azure', async () => {
  const { signToken } = await openDeployment({ api_url, signing_key: pem, data_dir: '', now });

  expect(() => signToken({ subject: 'x', audience: 'api://AzureADTokenExchange', algorithm: 'RS256' })).toThrow(
    'FEDERATION_SIGNING_KEY contains no key for RS256',
  );
});

test('the parameters that OpenSSL writes before a key are skipped', () => {
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

  expect(readSigningKeys(parameters + pem)).toHaveLength(1);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['a password', 'hunter2'],
  ['half a JWK', '{"kty":"EC"}'],
  ['a public key', pair.publicKey.export({ type: 'spki', format: 'pem' }) as string],
  ['the public part as JWK', JSON.stringify(pair.publicKey.export({ format: 'jwk' }))],
  ['a different curve', exported('P-384')],
  ['a short RSA key', makeRsa(1_024)],
  ['a good key before a different curve', `${pem}${exported('P-384')}`],
  ['an empty JWK set', '{"keys":[]}'],
])('%s is not a signing key', (_title, text) => {
  expect(() => readSigningKeys(text)).toThrow();
});

function exported(namedCurve: string): string {
  return generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

function makeRsa(modulusLength: number): string {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
