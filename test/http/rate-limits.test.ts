import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createMemoryLimiter, createRedisLimiter, type RateLimiter } from '../../server/http/index.ts';
import { addressKey } from '../../server/http/limits/rate-limits.ts';
import { drain, msUntil } from '../../server/http/limits/token-bucket.ts';
import { API, bearer, type Harness, JOB, ORG, OTHER_ORG, startHttp, testConfig } from './harness.ts';

let http: Harness;
afterEach(() => http?.close());

const PLENTY = { burst: 1_000, per_minute: 1_000 };
/** A limiter with a fixed clock. */
const frozen = () => createMemoryLimiter(() => Date.UTC(2026, 0, 1));
const broken: RateLimiter = { take: () => Promise.reject(new Error('connection lost')) };

function start(buckets: Partial<Record<'credential' | 'org' | 'ip', typeof PLENTY>>, rateLimiter = frozen()) {
  const rate_limits = { credential: PLENTY, org: PLENTY, ip: PLENTY, ...buckets };
  return startHttp({ rateLimiter, config: testConfig({ rate_limits }) });
}

const me = (token: string) => http.send('GET', `${API}/me`, { headers: bearer(token) });
const org = (token: string) => http.send('GET', `${API}/orgs/${ORG}`, { headers: bearer(token) });

describe('the rate-limit headers show the most restrictive limit', () => {
  test('the limit of the credential is shown', async () => {
    http = await start({ credential: { burst: 5, per_minute: 60 } });

    const before = Math.floor(Date.now() / 1_000);
    const { headers } = await org('viewer');
    const after = Math.ceil(Date.now() / 1_000);

    expect(headers).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-resource': 'credential',
    });
    const reset = Number(headers['x-ratelimit-reset']);
    expect(reset).toBeGreaterThanOrEqual(before + 1);
    expect(reset).toBeLessThanOrEqual(after + 2);
  });

  test('the limit of the organization, shared by its members, is shown', async () => {
    http = await start({ org: { burst: 3, per_minute: 60 } });

    const first = await org('viewer');
    const second = await org('member');

    expect([first, second].map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['2', '1']);
    expect(second.headers['x-ratelimit-resource']).toBe('org');
  });

  test('the limit is also shown on errors of an authenticated caller', async () => {
    http = await start({});

    const answer = await http.send('GET', `${API}/orgs/${OTHER_ORG}`, { headers: bearer('viewer') });

    expect([answer.status, answer.headers['x-ratelimit-resource']]).toEqual([404, 'credential']);
  });
});

test('a credential that exceeds its limit gets 429 with Retry-After; another credential is not affected', async () => {
  http = await start({ credential: { burst: 2, per_minute: 20 } });

  const answers = [await me('viewer'), await me('viewer'), await me('viewer'), await me('owner')];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
  expect(answers[2]!.headers).toMatchObject({ 'retry-after': '3', 'x-ratelimit-remaining': '0' });
  expect(answers[2]!.json).toMatchObject({ error_class: 'rate_limited', retry_after: 3 });
});

test('a poll without changes costs a tenth of a request', async () => {
  http = await start({ credential: { burst: 2, per_minute: 20 } });
  const poll = (headers: Record<string, string>) =>
    http.send('GET', `${API}/orgs/${ORG}/llm-jobs/${JOB}`, { headers: { ...bearer('viewer'), ...headers } });

  const first = await poll({});
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await poll({ 'if-none-match': first.headers['etag']! })).status);
  const last = await me('viewer');

  expect(statuses).toEqual([304, 429, 429]);
  expect(last.status).toBe(429);
});

describe('unauthenticated callers are counted by address', () => {
  test('requests without credentials, with wrong credentials and to unknown paths count by address', async () => {
    http = await start({ ip: { burst: 4, per_minute: 60 } });

    const answers = [
      await http.send('GET', `${API}/me`),
      await me('guess'),
      await http.send('GET', '/nowhere'),
      await http.send('GET', `${API}/openapi.json`),
      await http.send('GET', `${API}/openapi.json`),
      await http.send('GET', `${API}/me`),
      await me('owner'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 404, 200, 429, 429, 429]);
    expect(answers[4]!.headers['retry-after']).toBe('1');
  });

  test('authenticated callers do not count by address', async () => {
    http = await start({ ip: { burst: 1, per_minute: 60 } });

    const statuses = [await me('owner'), await me('owner'), await me('owner')].map(({ status }) => status);

    expect(statuses).toEqual([200, 200, 200]);
  });

  test('an authenticated caller is served while another caller at the same address is rejected', async () => {
    http = await start({ ip: { burst: 2, per_minute: 1 } });
    await me('owner');
    for (let i = 0; i < 3; i += 1) await me('guess');

    const answers = [await me('owner'), await me('guess'), await http.send('GET', `${API}/openapi.json`)];

    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);
  });

  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('%s counts as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });

  test('the address is taken from a proxy header only if a proxy is configured', async () => {
    http = await start({ ip: { burst: 1, per_minute: 60 } });
    const from = (ip: string) => http.send('GET', `${API}/openapi.json`, { headers: { 'x-forwarded-for': ip } });

    expect((await from('198.51.100.1')).status).toBe(200);
    expect((await from('198.51.100.2')).status).toBe(429);
  });
});

describe('when the rate-limit store is not available', () => {
  test('authenticated callers are accepted and unauthenticated ones are rejected', async () => {
    http = await start({}, broken);

    const known = await me('owner');
    const unknown = await http.send('GET', `${API}/openapi.json`);

    expect(known.status).toBe(200);
    expect([unknown.status, unknown.json.error_class]).toEqual([503, 'unavailable']);
    expect(unknown.headers['retry-after']).toBe('5');
    expect(http.lines.some(({ msg }) => String(msg).startsWith('rate limiter not available'))).toBe(true);
  });

  test('a missing Redis is detected immediately', async () => {
    const limiter = createRedisLimiter('redis://127.0.0.1:1');

    await expect(limiter.take('x', PLENTY, 1)).rejects.toThrow();
    limiter.close();
  });
});

describe('the token bucket', () => {
  const bucket = fc.record({ burst: fc.integer({ min: 1, max: 100 }), per_minute: fc.integer({ min: 1, max: 6_000 }) });

  test('the bucket never allows more than its burst plus the refill', () => {
    fc.assert(
      fc.property(bucket, fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }), (size, waits) => {
        let now = 0;
        let passed = 0;
        let level: ReturnType<typeof drain> | undefined;
        for (const wait of waits) {
          now += wait;
          level = drain(level, size, 1, now);
          if (level.allowed) passed += 1;
        }
        expect(passed).toBeLessThanOrEqual(size.burst + (now * size.per_minute) / 60_000 + 1e-6);
      }),
    );
  });

  test('the bucket allows the next request after the reported time and not before', () => {
    fc.assert(
      fc.property(bucket, (size) => {
        let level = drain(undefined, size, 1, 0);
        while (level.allowed) level = drain(level, size, 1, 0);
        const wait = msUntil(1, level.remaining, size);

        expect(drain(level, size, 1, wait * 1.001).allowed).toBe(true);
        expect(drain(level, size, 1, wait * 0.99).allowed).toBe(false);
      }),
    );
  });

  test('the bucket gives back no more than it holds', () => {
    const size = { burst: 2, per_minute: 60 };

    expect(drain({ tokens: 1.5, at: 0 }, size, -0.9, 0).remaining).toBe(2);
  });
});
