import { setTimeout as wait } from 'node:timers/promises';
/** The behavior of the service while its identity provider is slow, broken, rotating keys, or malicious. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createTokenVerifier } from '../../../server/adapters/oidc/index.ts';
import { startProvider, type TestProvider } from '../../fakes/oidc-provider.ts';

const SETTINGS = { email_claim: 'email', trust_email: false, max_token_ttl_s: 86_400, audience: ['dpa-test'] };
const START = Date.now();

describe('an identity provider', () => {
  let provider: TestProvider;
  let time = START;
  let verify: (token: string) => Promise<unknown>;
  beforeEach(async () => {
    time = START;
    provider = await startProvider('ES256');
    const oidc = { issuer: provider.issuer, ...SETTINGS };
    verify = createTokenVerifier({ oidc, data_dir: '', now: () => new Date(time) });
  });
  afterEach(() => provider.close());

  const verifyStatus = (token: string) =>
    verify(token).then(
      () => 200,
      ({ status }: { status: number }) => status,
    );
  const fetches = (path: string) => provider.requests.filter((one) => one === path).length;
  /** Tokens that are valid during the whole test. */
  const sign = (claims: object = {}, header: object = {}) =>
    provider.sign({ exp: Math.floor(START / 1000) + 3_600, ...claims }, { ...header });

  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('a provider that signs with %s is supported', async (alg) => {
    await provider.rotate(alg);

    expect(await verifyStatus(await sign())).toBe(200);
  });

  test('a thousand concurrent sign-ins fetch the keys once', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, at) => sign({ sub: `user-${at}` })));

    const statuses = await Promise.all(Array.from({ length: 1_000 }, (_, at) => verifyStatus(tokens[at % 20]!)));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(provider.requests).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  test('a new key is accepted after one fetch under load, and no valid token is rejected', async () => {
    expect(await verifyStatus(await sign())).toBe(200);
    const old = await sign();
    await provider.rotate('ES256');
    const fresh = await sign();
    time += 30_001;

    const statuses = await Promise.all(
      Array.from({ length: 400 }, (_, at) => verifyStatus(at % 2 === 0 ? fresh : old)),
    );

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(fetches('/jwks')).toBe(2);
  });

  test('a removed key is rejected after the keys were fetched again', async () => {
    const old = await sign();
    expect(await verifyStatus(old)).toBe(200);
    await provider.rotate('ES256');
    provider.retire();

    time += 600_001;

    expect(await verifyStatus(old)).toBe(401);
    expect(await verifyStatus(await sign())).toBe(200);
  });

  test('unknown keys cause one fetch in thirty seconds at most', async () => {
    await verifyStatus(await sign());
    const flood = await Promise.all(Array.from({ length: 50 }, (_, at) => sign({}, { kid: `unknown-${at}` })));

    for (let second = 0; second <= 90; second += 1) {
      time = START + second * 1_000;
      expect(await verifyStatus(flood[second % 50]!)).toBe(401);
    }
    await Promise.all(flood.map(verifyStatus));

    expect(fetches('/jwks')).toBe(1 + 3);
  });

  test('while a provider is unreachable, known keys work for ten minutes, then sign-ins get 503 until it is back', async () => {
    const token = await sign();
    expect(await verifyStatus(token)).toBe(200);
    provider.broken = true;
    const unknown = await sign({}, { kid: 'new' });

    time = START + 599_000;
    expect(await verifyStatus(token)).toBe(200);
    expect(await verifyStatus(unknown)).toBe(503);
    expect(await verifyStatus(token)).toBe(200);
    time = START + 600_001;
    expect(await verifyStatus(token)).toBe(503);

    provider.broken = false;
    time += 1_000;
    expect(await verifyStatus(token)).toBe(200);
  });

  test('an unreachable provider is retried once a second, however many sign-ins wait', async () => {
    provider.broken = true;
    const token = await sign();

    for (let count = 0; count < 20; count += 1) expect(await verifyStatus(token)).toBe(503);
    expect(provider.requests).toHaveLength(1);
    time += 1_001;
    expect(await verifyStatus(token)).toBe(503);
    expect(provider.requests).toHaveLength(2);
  });

  test('a hanging provider delays no sign-in for more than five seconds', async () => {
    provider.override = { path: '/jwks', answer: () => {} };
    const tokens = await Promise.all(Array.from({ length: 20 }, () => sign()));
    const gone = new AbortController();
    const limits = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(gone.signal);

    const statuses = Promise.all(tokens.map(verifyStatus));
    while (fetches('/jwks') === 0) await wait(5);
    gone.abort(new DOMException('timeout', 'TimeoutError'));

    const seen = new Set(await statuses);
    const given = new Set(limits.mock.calls.flat());
    limits.mockRestore();

    expect(seen).toEqual(new Set([503]));
    expect(given).toEqual(new Set([5_000]));
    expect(fetches('/jwks')).toBe(1);
  });

  const answers = {
    'a redirect': [302, '', { location: '/userinfo' }],
    'an error': [500, '{}', {}],
    'invalid JSON': [200, '<html>', {}],
    'a list': [200, '[]', {}],
    nothing: [200, '', {}],
    null: [200, 'null', {}],
    'more than a mebibyte': [200, `{"keys":[],"a":"${'x'.repeat(1_100_000)}"}`, {}],
    'a different document': [200, '{"issuer":"https://other.example","keys":"none"}', {}],
  } satisfies Record<string, [number, string, Record<string, string>]>;
  const paths = ['/.well-known/openid-configuration', '/jwks'];
  test.each(Object.keys(answers).flatMap((what) => paths.map((path) => [what, path] as const)))(
    'a provider that responds with %s on %s causes 503, and redirect targets are not requested',
    async (what, path) => {
      const [status, body, headers] = answers[what as keyof typeof answers];
      provider.override = { path, answer: (response) => void response.writeHead(status, headers).end(body) };

      expect(await verifyStatus(await sign())).toBe(503);
      expect(provider.requests).not.toContain('/userinfo');
    },
  );

  test.each([['ftp://127.0.0.1/jwks'], ['file:///etc/passwd'], ['jwks'], [7], [null]])(
    'a discovery document with the jwks_uri %j causes 503',
    async (jwks_uri) => {
      const body = JSON.stringify({ issuer: provider.issuer, jwks_uri });
      provider.override = { path: paths[0]!, answer: (response) => void response.writeHead(200).end(body) };

      expect(await verifyStatus(await sign())).toBe(503);
    },
  );

  test('a key set with secrets or unusable keys accepts no token', async () => {
    const keys = [
      { kty: 'oct', k: 'AAAA', kid: 'key-1', alg: 'HS256' },
      { kty: 'RSA', n: '!', e: 'AQAB', kid: 'key-1' },
    ];
    const body = JSON.stringify({ keys });
    provider.override = { path: '/jwks', answer: (response) => void response.writeHead(200).end(body) };

    expect([401, 503]).toContain(await verifyStatus(await sign()));
  });

  describe('a provider whose tokens contain no email', () => {
    const bare = () => sign({ email: undefined, email_verified: undefined, name: undefined });
    const profile = { sub: 'user-1', email: 'Ana@Corp.example', email_verified: true, name: ' Ana \u0000 B. ' };

    test('the profile is fetched once per token and cached for five minutes', async () => {
      provider.userinfo = profile;
      const token = await bare();

      expect(await verify(token)).toMatchObject({ email: 'ana@corp.example', display_name: 'Ana   B.' });
      await verify(token);
      expect(fetches('/userinfo')).toBe(1);
      await verify(await sign({ email: undefined, jti: 'other' }));
      expect(fetches('/userinfo')).toBe(2);
    });

    test.each([
      ['is about another person', { ...profile, sub: 'user-2' }],
      ['has no subject', { ...profile, sub: undefined }],
      ['has no email', { sub: 'user-1' }],
      ['has an unverified email', { ...profile, email_verified: undefined }],
      ['has a list as email', { ...profile, email: ['ana@corp.example'] }],
    ])('the profile is rejected if it %s', async (_title, userinfo) => {
      provider.userinfo = userinfo;

      expect(await verifyStatus(await bare())).toBe(401);
    });

    test('the verification of one email does not apply to another', async () => {
      provider.userinfo = { sub: 'user-1', email: 'boss@corp.example' };

      expect(await verifyStatus(await sign({ email: undefined, email_verified: true }))).toBe(401);
    });

    test.each([
      [401, 401],
      [403, 401],
      [500, 503],
      [302, 503],
    ])('a userinfo status %i causes %i', async (answered, expected) => {
      const headers = { location: '/jwks' };
      provider.override = {
        path: '/userinfo',
        answer: (response) => void response.writeHead(answered, headers).end('{}'),
      };

      expect(await verifyStatus(await bare())).toBe(expected);
    });
  });

  test.each([
    [{ name: 'x'.repeat(150) }, 'x'.repeat(100)],
    [{ name: `${'x'.repeat(99)}\u{1f600}\u{1f600}` }, `${'x'.repeat(99)}\u{1f600}`],
    [{ name: '\u0000', preferred_username: 'ana' }, 'ana'],
    [{ name: ['Ana'], preferred_username: '  ' }, 'ana'],
    [{ name: 'A\ud800', preferred_username: 1 }, 'A\ufffd'],
  ])('the name %j is shown as %j', async (claims, display_name) => {
    expect(await verify(await sign(claims))).toMatchObject({ display_name });
  });
});
