import { createHmac } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportSPKI, importJWK } from 'jose';
import { createTokenVerifier, signDevToken } from '../../../server/adapters/oidc/index.ts';
import { startProvider, type TestProvider } from '../../fakes/oidc-provider.ts';

const SETTINGS = { email_claim: 'email', trust_email: false, max_token_ttl_s: 86_400, audience: ['dpa-test'] };

describe('tokens of an identity provider', () => {
  let provider: TestProvider;
  const verify = (token: string, settings: Partial<typeof SETTINGS> = {}) =>
    createTokenVerifier({ oidc: { issuer: provider.issuer, ...SETTINGS, ...settings }, data_dir: '' })(token);

  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(() => provider.close());

  test('a valid token yields issuer, subject, lower-case email and display name', async () => {
    const claims = await verify(await provider.sign());

    expect(claims).toMatchObject({
      issuer: provider.issuer,
      subject: 'user-1',
      email: 'ana@example.com',
      display_name: 'Ana',
    });
  });

  const now = Math.floor(Date.now() / 1000);
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['no exp', { exp: undefined }, {}],
    ['no sub', { sub: undefined }, {}],
    ['a different issuer', { iss: 'https://evil.example' }, {}],
    ['a different audience', { aud: 'someone-else' }, {}],
    ['no audience', { aud: undefined }, {}],
    ['not valid yet', { nbf: now + 600 }, {}],
    ['a lifetime above the maximum', { exp: now + 100_000 }, {}],
    ['no email', { email: undefined }, {}],
    ['an invalid email', { email: 'ana' }, {}],
    ['an unverified email', { email_verified: false }, {}],
    ['an email without email_verified', { email_verified: undefined }, {}],
    ['the typ of a logout token', {}, { typ: 'logout+jwt' }],
    ['an unknown critical header', {}, { crit: ['x'], x: 1 }],
  ])('a token with %s is rejected', async (_title, claims, header) => {
    let token: string;
    try {
      token = await provider.sign(claims, header);
    } catch {
      // jose refuses to sign an unknown critical header, so it is written by hand.
      const head = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'key-1', crit: ['x'], x: 1 })).toString('base64url');
      token = [head, ...(await provider.sign(claims)).split('.').slice(1)].join('.');
    }

    await expect(verify(token)).rejects.toMatchObject({ status: 401 });
  });

  test('an expired token has its own error class', async () => {
    const token = await provider.sign({ iat: now - 1_000, exp: now - 100 });

    await expect(verify(token)).rejects.toMatchObject({ status: 401, error_class: 'token_expired' });
  });

  test('an unsigned token and one signed with the public key as HMAC secret are rejected', async () => {
    const payload = (await provider.sign()).split('.')[1];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${encode({ alg: 'none' })}.${payload}.`;
    const key = await importJWK({ ...provider.publicJwk(), ext: true }, 'RS256', { extractable: true });
    const signed = `${encode({ alg: 'HS256', kid: 'key-1' })}.${payload}`;
    const hmac = createHmac('sha256', await exportSPKI(key as never))
      .update(signed)
      .digest('base64url');

    await expect(verify(unsigned)).rejects.toMatchObject({ status: 401 });
    await expect(verify(`${signed}.${hmac}`)).rejects.toMatchObject({ status: 401 });
  });

  test('a token larger than 16 KiB is rejected before anything is fetched', async () => {
    const requests = provider.requests.length;

    await expect(verify(await provider.sign({ padding: 'x'.repeat(17_000) }))).rejects.toMatchObject({ status: 401 });

    expect(provider.requests).toHaveLength(requests);
  });

  test('a jku header causes no request', async () => {
    const token = await provider.sign({}, { jku: `${provider.issuer}/evil` });

    await verify(token);

    expect(provider.requests).not.toContain('/evil');
  });

  test('an email without email_verified is accepted if the operator configured that', async () => {
    const token = await provider.sign({ email_verified: undefined });

    expect(await verify(token, { trust_email: true })).toMatchObject({ email: 'ana@example.com' });
  });

  test('userinfo is fetched if the token has no email, and must have the same subject', async () => {
    const token = await provider.sign({ email: undefined, email_verified: undefined });
    provider.userinfo = { sub: 'user-1', email: 'ana@corp.example', email_verified: true };
    expect(await verify(token)).toMatchObject({ email: 'ana@corp.example' });

    provider.userinfo = { sub: 'user-2', email: 'bob@corp.example', email_verified: true };
    await expect(verify(token)).rejects.toMatchObject({ status: 401 });
  });

  test('an unreachable provider is 503, not 401', async () => {
    provider.broken = true;
    try {
      await expect(verify(await provider.sign())).rejects.toMatchObject({ status: 503 });
    } finally {
      provider.broken = false;
    }
  });
});

describe('development tokens', () => {
  test('development tokens are accepted by the service with the same data folder, whose key file only its owner can read', async () => {
    const data_dir = await mkdtemp(join(tmpdir(), 'dpa-oidc-'));
    try {
      const tokens = await Promise.all(
        ['a@example.com', 'b@example.com'].map((email) => signDevToken({ data_dir, email, production: false })),
      );
      const verify = createTokenVerifier({ oidc: null, data_dir });

      expect(await verify(tokens[0]!)).toMatchObject({ email: 'a@example.com' });
      expect(await verify(tokens[1]!)).toMatchObject({ email: 'b@example.com' });
      expect((await stat(join(data_dir, 'dev-issuer-key.json'))).mode & 0o777).toBe(0o600);
    } finally {
      await rm(data_dir, { recursive: true });
    }
  });

  test('development tokens cannot be created in production', async () => {
    await expect(signDevToken({ data_dir: tmpdir(), email: 'a@example.com', production: true })).rejects.toThrow(
      'NODE_ENV=production',
    );
  });

  test('development tokens of another data folder are rejected', async () => {
    const [mine, theirs] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'dpa-oidc-'))));
    try {
      const token = await signDevToken({ data_dir: theirs!, email: 'a@example.com', production: false });

      await expect(createTokenVerifier({ oidc: null, data_dir: mine! })(token)).rejects.toMatchObject({ status: 401 });
    } finally {
      await Promise.all([mine!, theirs!].map((folder) => rm(folder, { recursive: true })));
    }
  });
});
