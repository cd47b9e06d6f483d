import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import { createTokenProbe } from '../../../server/adapters/scm/token/index.ts';
import type { ProbeToken, TokenTarget } from '../../../server/adapters/scm/token/types.ts';
import { buildHostedToken, type HostedToken, startScmHost } from '../../fakes/scm-host.ts';

let host: Awaited<ReturnType<typeof startScmHost>>;
let probe: ProbeToken;
beforeAll(async () => {
  host = await startScmHost();
  probe = createTokenProbe(createGuardedFetch({ allowed_hosts: [host.host] }));
});

const at = (provider: 'github' | 'gitlab', repo_path = 'acme/shop'): TokenTarget => ({
  provider,
  provider_base_url: host.url,
  repo_path,
});

test('GitLab reports the user of a token and its expiration', async () => {
  expect(await probe(at('gitlab', 'acme/infra/network'), buildHostedToken('developer'))).toEqual({
    status: 'active',
    user_id: '4711',
    expires_at: new Date('2026-09-01T00:00:00Z'),
  });
  expect(host.requested_paths.at(-2)).toBe('/api/v4/projects/acme%2Finfra%2Fnetwork');
});

test('GitHub reports the user of a token and its expiration', async () => {
  const active = { status: 'active', user_id: '4711', expires_at: new Date('2026-09-01T10:00:00Z') };

  expect(await probe(at('github'), buildHostedToken('developer'))).toEqual(active);
  expect(await probe(at('github'), buildHostedToken('classic'))).toEqual(active);
});

test.each<['github' | 'gitlab', HostedToken, string, RegExp]>([
  ['gitlab', 'expired', 'expired', /has expired; create a new one/],
  ['gitlab', 'revoked', 'invalid', /does not recognize it; create a new one/],
  ['gitlab', 'read_user', 'insufficient_scope', /the scope "api"/],
  ['gitlab', 'read_api', 'insufficient_scope', /the scope "api"/],
  ['gitlab', 'reporter', 'insufficient_scope', /at least a Developer/],
  ['gitlab', 'nobody', 'insufficient_scope', /cannot see acme\/shop/],
  ['github', 'expired', 'invalid', /does not recognize it, or it has expired/],
  ['github', 'reporter', 'insufficient_scope', /have write access/],
  ['github', 'nobody', 'insufficient_scope', /cannot see the repository acme\/shop/],
  ['github', 'moved', 'insufficient_scope', /was renamed/],
  ['github', 'classic_public', 'insufficient_scope', /the scope "repo"/],
])('at %s a token of the kind %s is %s', async (provider, kind, status, problem) => {
  expect(await probe(at(provider), buildHostedToken(kind))).toEqual({
    status,
    problem: expect.stringMatching(problem),
  });
});

describe('a host with unusable responses', () => {
  afterEach(() => void jest.restoreAllMocks());

  test.each<[HostedToken, RegExp]>([
    ['limited', /is limiting requests/],
    ['broken', /status 502/],
    ['huge', /larger than \d+ bytes/],
  ])('a host that is %s gives no result', async (kind, problem) => {
    for (const provider of ['github', 'gitlab'] as const) {
      const answer = await probe(at(provider), buildHostedToken(kind));
      expect(answer).toEqual({ status: 'unknown', problem: expect.stringMatching(problem) });
      expect(JSON.stringify(answer)).not.toContain('secret');
    }
  });

  test('a host that takes too long gives no result', async () => {
    const { timeout } = AbortSignal;
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 100));

    expect(await probe(at('gitlab'), buildHostedToken('slow'))).toEqual({
      status: 'unknown',
      problem: `${host.host} did not respond within 10 seconds; try again later`,
    });
  });

  test('a different, unreachable or private host gives no result', async () => {
    const elsewhere = async (provider_base_url: string) =>
      probe({ ...at('gitlab'), provider_base_url }, buildHostedToken('developer'));

    expect(await elsewhere(`${host.url}/elsewhere`)).toMatchObject({ problem: expect.stringContaining('status 404') });
    expect(await elsewhere('http://127.0.0.1:1')).toMatchObject({
      problem: expect.stringContaining('the address must'),
    });
    expect(await elsewhere('https://git.invalid.example')).toMatchObject({ status: 'unknown' });
  });
});
