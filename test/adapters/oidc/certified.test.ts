import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { createTokenVerifier } from '../../../server/adapters/oidc/index.ts';
import { AUDIENCE, type CertifiedProvider, startCertifiedProvider } from './certified-provider.ts';

describe('users of a certified OpenID provider', () => {
  let provider: CertifiedProvider;
  let time = Date.now();
  let verify: (token: string) => Promise<unknown>;
  beforeAll(async () => {
    // It prints long warnings about its defaults.
    for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
    provider = await startCertifiedProvider();
    const settings = { email_claim: 'email', trust_email: false, max_token_ttl_s: 86_400, audience: [AUDIENCE] };
    const oidc = { issuer: provider.issuer, ...settings };
    verify = createTokenVerifier({ oidc, data_dir: '', now: () => new Date(time) });
  });
  afterAll(async () => {
    await provider.close();
    jest.restoreAllMocks();
  });

  test('users are identified by their access token', async () => {
    const { access_token } = await provider.login('ana');

    expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(await verify(access_token)).toMatchObject({
      issuer: provider.issuer,
      subject: 'ana',
      email: 'ana@example.com',
      display_name: 'ANA',
    });
  });

  test('an id token is rejected because it is for another client', async () => {
    const { id_token } = await provider.login('ana');

    await expect(verify(id_token)).rejects.toMatchObject({ status: 401, error_class: 'invalid_token' });
  });

  test('tokens stay valid while the provider rotates keys, and new keys are used after one fetch', async () => {
    const before = await provider.login('ana');
    await verify(before.access_token);
    await provider.rotate();
    const after = await provider.login('bob');
    expect(decodeProtectedHeader(after.access_token).kid).not.toBe(decodeProtectedHeader(before.access_token).kid);
    const fetches = () => provider.requests.filter((url) => url === '/jwks').length;
    const fetched = fetches();
    time += 31_000;

    const known = await Promise.all(
      Array.from({ length: 100 }, (_, at) => verify((at % 2 === 0 ? before : after).access_token)),
    );

    expect(known).toHaveLength(100);
    expect(fetches()).toBe(fetched + 1);
  });

  test('users are rejected if neither token nor userinfo contains an email', async () => {
    const { access_token } = await provider.login('eve', { email: false });

    // This provider sends no userinfo for tokens that are limited to one API.
    await expect(verify(access_token)).rejects.toMatchObject({ status: 401 });
    expect(provider.requests).toContain('/me');
  });
});
