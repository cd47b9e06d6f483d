import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ScanPart } from '../../../../server/adapters/cloud/types.ts';
import { apiError, errorInfo, rateLimited } from '../../../fakes/cloud/gcp/errors.ts';
import { type FakeGoogle, startGoogle } from '../../../fakes/cloud/gcp/index.ts';
import { HTML_PAGE, type RestReply } from '../../../fakes/cloud/rest-server.ts';
import { createVirtualTime } from '../../../fakes/cloud/virtual-time.ts';
import { findFault, never, readAll, readPart } from '../reading.ts';
import { bucket, buckets, openGcp } from './setup.ts';

const SEARCH = 'cloudasset searchAllResources';
const PART: ScanPart = {
  key: 'cloudasset/all',
  service: 'cloudasset',
  region: null,
  provider_type: null,
  by_region: true,
};

let google: FakeGoogle;
beforeEach(async () => {
  google = await startGoogle();
});
afterEach(() => google.close());

const countSearches = () => google.calls.filter((call) => call === SEARCH).length;
/** Search fails with this response every time. */
const failWith = (how: RestReply) => google.troubles.push({ operation: SEARCH, how, times: 99 });

describe('pages', () => {
  test('a scan reads every resource once, 500 in a page', async () => {
    google.resources = buckets(1_201);

    const { resources, faults, page_count } = await readAll(openGcp(google));

    expect(new Set(resources.map((one) => one.provider_resource_id)).size).toBe(1_201);
    expect([resources.length, page_count, countSearches(), faults]).toEqual([1_201, 3, 3, []]);
  });

  test('an empty project has one empty page', async () => {
    await expect(readAll(openGcp(google))).resolves.toMatchObject({ resources: [], faults: [], page_count: 1 });
  });

  test('a cursor stays valid in another session', async () => {
    google.resources = buckets(501);
    const { next_cursor } = await openGcp(google).readPage(PART, null, never);

    const page = await openGcp(google).readPage(PART, next_cursor, never);

    expect(page.resources.map(({ name }) => name)).toEqual(['bucket-000500']);
    expect(page.next_cursor).toBeNull();
  });

  test('a part whose page token has expired is read again from its start', async () => {
    google.resources = buckets(1_100);
    let expired = false;
    const expireOnce = () => {
      if (!expired) google.token_generation += 1;
      expired = true;
    };

    const { resources, faults, restart_count } = await readPart(openGcp(google), PART, expireOnce);

    expect(new Set(resources.map((one) => one.provider_resource_id)).size).toBe(1_100);
    expect([restart_count, faults]).toEqual([1, []]);
  });

  test('a part whose page tokens always expire is truncated', async () => {
    google.resources = buckets(1_100);
    const expire = () => {
      google.token_generation += 1;
    };

    const fault = await findFault(readPart(openGcp(google), PART, expire));

    expect(fault).toMatchObject({ code: 'truncated', retryable: true, service: 'cloudasset' });
  });

  test('a damaged cursor restarts the part', async () => {
    google.resources = buckets(3);

    const page = await openGcp(google).readPage(PART, 'what is this', never);

    expect([page.resources.length, page.restarted, page.next_cursor]).toEqual([3, true, null]);
  });

  test('a page token that does not change ends the part as truncated', async () => {
    const page = { results: [bucket('one')], nextPageToken: 'same' };
    failWith({ status: 200, body: page });

    const { faults, page_count } = await readPart(openGcp(google), PART);

    expect([page_count, faults.map(({ code }) => code)]).toEqual([2, ['truncated']]);
  });

  test('a part of another version is an unsupported type', async () => {
    const fault = await findFault(openGcp(google).readPage({ ...PART, key: 'cloudasset/old' }, null, never));

    expect(fault).toMatchObject({ code: 'unsupported_type', message: expect.stringContaining('cloudasset/old') });
  });

  test('rows without a name are counted, and the others are read', async () => {
    failWith({ status: 200, body: { results: [bucket('one'), { assetType: 'x/Y' }, 'text', null] } });

    const { resources, faults } = await readPart(openGcp(google), PART);

    expect(resources).toHaveLength(1);
    expect(faults).toEqual([expect.objectContaining({ code: 'parse_error', message: expect.stringMatching(/^3 /) })]);
  });

  test('the outline says what is not read', async () => {
    const { parts, unchecked } = await openGcp(google).outline(never);

    expect(parts).toEqual([PART]);
    expect(unchecked.map(({ code }) => code)).toEqual(['unsupported_type', 'unsupported_type']);
  });

  test('only chosen regions are read, and what is global or in several regions', async () => {
    google.resources = [
      bucket('zone', { location: 'us-central1-a' }),
      bucket('region', { location: 'us-central1' }),
      bucket('other', { location: 'us-central2' }),
      bucket('multi', { location: 'US' }),
      bucket('global', { location: 'global' }),
      bucket('none', { location: undefined }),
    ];

    const { resources } = await readAll(openGcp(google, { regions: ['us-central1'] }));

    expect(resources.map(({ name, region }) => `${name} ${region}`).sort()).toEqual([
      'global null',
      'multi us',
      'none null',
      'region us-central1',
      'zone us-central1',
    ]);
  });
});

describe('throttling', () => {
  test.each([
    ['the header Retry-After', rateLimited({ header: '7' }), 7_000],
    ['RetryInfo', rateLimited({ delay: '4s' }), 4_000],
    ['RetryInfo with decimals', rateLimited({ delay: '0.5s' }), 500],
  ])('%s sets the wait', async (_what, how, least_ms) => {
    google.resources = buckets(1);
    google.troubles.push({ operation: SEARCH, how });
    const throttle = createVirtualTime();

    const { resources } = await readAll(openGcp(google, { throttle }));

    expect(resources).toHaveLength(1);
    expect(throttle.clock_ms()).toBeGreaterThanOrEqual(least_ms);
    expect(countSearches()).toBe(2);
  });

  test('a quota that is exhausted with status 403 is throttling, too', async () => {
    google.resources = buckets(1);
    const errors = [{ domain: 'usageLimits', reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' }];
    const how = { status: 403, body: { error: { code: 403, message: 'Rate Limit Exceeded', errors } } };
    google.troubles.push({ operation: SEARCH, how });

    await expect(readAll(openGcp(google))).resolves.toMatchObject({ page_count: 1 });
  });

  test('a cloud that throttles for good is reported', async () => {
    failWith(rateLimited());

    await expect(findFault(readAll(openGcp(google)))).resolves.toMatchObject({ code: 'throttled', retryable: true });
  });

  test('a storm that rejects three requests in ten ends complete, with at most half more calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(threeInTen, { minLength: 12, maxLength: 12 }), async (rejected) => {
        google.calls.length = 0;
        google.resources = buckets(20_000);
        const isRejected = rejected.flat().values();
        const when = () => isRejected.next().value === true;
        google.troubles.splice(0, 1, { operation: SEARCH, how: rateLimited(), times: 999, when });

        const { resources } = await readPart(openGcp(google), PART);

        expect(resources).toHaveLength(20_000);
        expect(countSearches()).toBeLessThanOrEqual(40 * 1.5);
      }),
      { numRuns: 4 },
    );
  });
});

/** Of ten requests, which three are rejected. */
const threeInTen = fc
  .shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 3, maxLength: 3 })
  .map((rejected) => Array.from({ length: 10 }, (_, index) => rejected.includes(index)));

describe('refusals', () => {
  test('a missing permission is named although Google does not name it', async () => {
    google.permissions.clear();

    const fault = await findFault(readAll(openGcp(google)));

    expect(fault).toMatchObject({ code: 'access_denied', permission: 'cloudasset.assets.searchAllResources' });
    expect(fault.message).toContain('cloudasset.assets.searchAllResources');
  });

  test('an API that is off is not a missing permission', async () => {
    google.enabled_apis.delete('cloudasset');

    const fault = await findFault(readAll(openGcp(google)));

    expect(fault).toMatchObject({ code: 'access_denied', permission: null });
    expect(fault.message).toMatch(/cloudasset.googleapis.com is not enabled in the project of the service account/);
  });

  test.each<[string, RestReply, string, RegExp]>([
    [
      'billing that is off',
      apiError(403, 'PERMISSION_DENIED', 'x', [errorInfo('BILLING_DISABLED')]),
      'access_denied',
      /Link a billing account/,
    ],
    [
      'billing that is missing',
      apiError(400, 'FAILED_PRECONDITION', 'x', [
        {
          '@type': 'type.googleapis.com/google.rpc.PreconditionFailure',
          violations: [{ type: 'googleapis.com/billing-enabled' }],
        },
      ]),
      'access_denied',
      /Link a billing account/,
    ],
    [
      'a project that does not exist',
      apiError(403, 'PERMISSION_DENIED', 'x', [errorInfo('CONSUMER_INVALID')]),
      'access_denied',
      /project of the service account does not exist/,
    ],
    [
      'a service perimeter',
      apiError(403, 'PERMISSION_DENIED', 'x', [errorInfo('SECURITY_POLICY_VIOLATED')]),
      'access_denied',
      /VPC Service Controls/,
    ],
    [
      'a token with too few scopes',
      apiError(403, 'PERMISSION_DENIED', 'x', [errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT')]),
      'credential_error',
      /too few scopes/,
    ],
    ['a bad request', apiError(400, 'INVALID_ARGUMENT', 'canary text'), 'internal', /report it/],
    ['a failure of Google', apiError(500, 'INTERNAL', 'canary text'), 'internal', /Scan again later/],
    ['a timeout of Google', apiError(504, 'DEADLINE_EXCEEDED', 'canary text'), 'timeout', /Scan again later/],
    ['the HTML of a proxy', HTML_PAGE, 'parse_error', /proxy/],
    ['the HTML of a proxy that refuses', { ...HTML_PAGE, status: 403 }, 'parse_error', /proxy/],
    ['the HTML of a broken front end', { ...HTML_PAGE, status: 502 }, 'internal', /Scan again later/],
    ['JSON that is not a page', { status: 200, body: { results: 'none' } }, 'parse_error', /cannot be read/],
    [
      'JSON that is nested too deep',
      { status: 200, text: `{"results":${'['.repeat(5_000)}${']'.repeat(5_000)}}` },
      'parse_error',
      /cannot be read/,
    ],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1/' } }, 'parse_error', /cannot be read/],
  ])('%s is reported', async (_what, how, code, message) => {
    failWith(how);

    const fault = await findFault(readAll(openGcp(google)));

    expect(fault.code).toBe(code);
    expect(fault.message).toMatch(message);
    expect(fault.service).toBe('cloudasset');
  });

  test.each(['drop', 'cut'] as const)('a connection that ends early (%s) is repeated', async (how) => {
    google.resources = buckets(2);
    google.troubles.push({ operation: SEARCH, how });

    await expect(readAll(openGcp(google))).resolves.toMatchObject({ page_count: 1 });
    expect(countSearches()).toBe(2);
  });

  test('a cloud that never responds is a timeout', async () => {
    google.troubles.push({ operation: SEARCH, how: 'hang', times: 9 });

    const fault = await findFault(readAll(openGcp(google, { timeout_ms: 40 })));

    expect(fault).toMatchObject({ code: 'timeout', retryable: true });
  });

  test('a response that is too large is not read', async () => {
    google.resources = buckets(100);

    const fault = await findFault(readAll(openGcp(google, { max_bytes: 10_000 })));

    expect(fault).toMatchObject({ code: 'parse_error', message: expect.stringContaining('10000 bytes') });
  });

  test('an endpoint at a private address is not called', async () => {
    const fault = await findFault(openGcp(google, { endpoints: { oauth2: 'http://127.0.0.2:1' } }).identify(never));

    expect(fault).toMatchObject({ code: 'internal', message: expect.stringContaining('not allowed') });
  });

  test.each([SEARCH, 'oauth2 token'])(
    'a caller who stops ends a request (%s) with the own reason',
    async (operation) => {
      google.troubles.push({ operation, how: 'hang' });
      const stop = new AbortController();
      const reason = new Error('the scan was canceled');

      const page = openGcp(google).readPage(PART, null, stop.signal);
      setImmediate(() => stop.abort(reason));

      await expect(page).rejects.toBe(reason);
    },
  );
});
