import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CloudError } from '../../../server/adapters/cloud/types.ts';
import type { StateLocation } from '../../../server/adapters/state-backend/types.ts';
import { HTML_PAGE } from '../../fakes/cloud/rest-server.ts';
import { BACKEND_TEXT, type FakeGcs, startFakeGcs } from '../../fakes/state/gcs.ts';
import { ACCESS, createTestBackend, findFailure, issueToken, NOW, readAll, STATE, TOKEN } from './setup.ts';

let gcs: FakeGcs;
beforeAll(async () => {
  gcs = await startFakeGcs();
});
beforeEach(() => {
  gcs.buckets = new Map([['states', new Map([['prod/a b#?ü.tfstate', STATE]])]]);
  gcs.tokens = new Set([TOKEN]);
  gcs.denied = new Set();
  gcs.headers = { date: NOW.toUTCString() };
  gcs.troubles.length = 0;
  gcs.calls.length = 0;
});
afterAll(() => gcs.close());

const open = (deps = {}) => createTestBackend([gcs], { gcs_endpoint: gcs.url, ...deps });
const LOCATION = { kind: 'gcs', bucket: 'states', object: 'prod/a b#?ü.tfstate' } satisfies StateLocation;
const FOLDER = { provider: 'gcp', bucket: 'states', prefix: 'prod/' } as const;
const list = (backend = open(), folder = FOLDER, max = 500) =>
  backend.list(folder, ACCESS, { max, signal: AbortSignal.timeout(5_000) });

describe('fetching', () => {
  test('an object is read unchanged, with its generation', async () => {
    expect(await readAll(open(), LOCATION)).toEqual({ text: STATE, etag: '1700000000000001' });
  });

  test('one token serves many requests until it is rejected', async () => {
    const issued: string[] = [];
    const openGoogleToken = async () => {
      issued.push(`${TOKEN}-${issued.length}`);
      return issueToken(issued.at(-1));
    };
    const backend = open({ openGoogleToken });
    gcs.tokens = new Set([`${TOKEN}-0`]);
    await readAll(backend, LOCATION);
    await readAll(backend, LOCATION);
    expect(issued).toHaveLength(1);

    gcs.tokens = new Set([`${TOKEN}-1`]);

    expect((await readAll(backend, LOCATION)).text).toBe(STATE);
    expect(issued).toHaveLength(2);
  });

  test('a missing object and a missing bucket have different reasons', async () => {
    expect(await findFailure(readAll(open(), { ...LOCATION, object: 'gone.tfstate' }))).toEqual([
      'not_found',
      'There is no object "gone.tfstate" in the Cloud Storage bucket "states". Correct the configuration, or delete this state source if its state was deleted.',
    ]);
    expect(await findFailure(readAll(open(), { ...LOCATION, bucket: 'gone' }))).toEqual([
      'no_such_bucket',
      'There is no Cloud Storage bucket "gone". Correct its name.',
    ]);
  });

  test('a 404 that names neither object nor bucket says what to check first', async () => {
    gcs.troubles.push({ operation: 'objects.get', how: { status: 404, text: BACKEND_TEXT } });

    expect(await findFailure(readAll(open(), LOCATION))).toEqual([
      'not_found',
      expect.stringContaining('Check the name of the bucket first'),
    ]);
  });

  test('a missing permission is named', async () => {
    gcs.denied.add('states');

    const [reason, message] = await findFailure(readAll(open(), LOCATION));

    expect(reason).toBe('access_denied');
    expect(message).toContain('Grant roles/storage.objectViewer');
  });

  test('a revoked credential is rejected, and a wrong clock is named as the cause', async () => {
    gcs.tokens.clear();
    expect(await findFailure(readAll(open(), LOCATION))).toEqual([
      'credential_rejected',
      'Google Cloud rejects the credential. It has expired, or was deleted, disabled or replaced. Connect the cloud account with a new one.',
    ]);

    gcs.headers = { date: new Date(NOW.getTime() + 600_000).toUTCString() };

    expect((await findFailure(readAll(open(), LOCATION)))[1]).toContain(
      'The clock of this server is 10 minutes behind',
    );
  });

  test('the message of a credential that issues no token is passed on', async () => {
    const fault = { code: 'credential_error' as const, message: 'The key was deleted.', retryable: false };
    const place = { service: null, region: null, provider_type: null, permission: null };
    const openGoogleToken = () => Promise.reject(new CloudError({ ...fault, ...place }));

    expect(await findFailure(readAll(open({ openGoogleToken }), LOCATION))).toEqual([
      'credential_rejected',
      'The key was deleted.',
    ]);
  });

  test('a bucket is not read without a cloud account', async () => {
    expect((await findFailure(readAll(open(), LOCATION, null)))[0]).toBe('credential_rejected');
    expect(gcs.calls).toEqual([]);
  });

  test('throttling says when to try again', async () => {
    gcs.troubles.push({
      operation: 'objects.get',
      how: { status: 429, text: BACKEND_TEXT, headers: { 'retry-after': '12' } },
    });

    expect(await findFailure(readAll(open(), LOCATION))).toEqual([
      'throttled',
      'Google Cloud is limiting the rate of requests. Try again in 12 seconds.',
    ]);
  });

  test.each([
    ['a connection that ends in the middle of the state', 'cut', 'unreachable'],
    ['a connection that ends before the response', 'drop', 'unreachable'],
    ['a server error', { status: 503, text: BACKEND_TEXT }, 'unreachable'],
    ['a web page instead of the state', HTML_PAGE, 'unusable'],
    ['a web page after white space', { ...HTML_PAGE, text: `\n\n ${HTML_PAGE.text}` }, 'unusable'],
    ['a redirect', { status: 302, headers: { location: 'https://example.com/' }, text: '' }, 'unusable'],
    ['a compressed state', { status: 200, headers: { 'content-encoding': 'gzip' }, text: 'x' }, 'unusable'],
    ['a bad request', { status: 400, text: BACKEND_TEXT }, 'unusable'],
  ] as const)('%s is an error that says so', async (_title, how, reason) => {
    gcs.troubles.push({ operation: 'objects.get', how });

    expect((await findFailure(readAll(open(), LOCATION)))[0]).toBe(reason);
  });

  test('a server that does not respond times out', async () => {
    gcs.troubles.push({ operation: 'objects.get', how: 'hang' });

    expect((await findFailure(readAll(open({ response_ms: 100 }), LOCATION)))[0]).toBe('unreachable');
  });

  test('a body that is shorter than announced is an error', async () => {
    const stalled = { status: 200, text: '{"version"', headers: { 'content-length': '1000' } };
    gcs.troubles.push({ operation: 'objects.get', how: stalled });

    expect((await findFailure(readAll(open(), LOCATION)))[0]).toBe('unreachable');
  });

  test('an announced size over the limit is rejected before the body is read', async () => {
    gcs.troubles.push({
      operation: 'objects.get',
      how: { status: 200, text: '{', headers: { 'content-length': '1073741824' } },
    });

    const [reason, message] = await findFailure(open().fetch(LOCATION, ACCESS, AbortSignal.timeout(5_000)));

    expect(reason).toBe('too_large');
    expect(message).toContain('at most 268435456 bytes');
  });

  test('a state without an announced size is cut off at the limit', async () => {
    gcs.troubles.push({ operation: 'objects.get', how: { status: 200, text: STATE } });
    const backend = open({ max_bytes: STATE.length - 1 });

    expect((await findFailure(readAll(backend, LOCATION)))[0]).toBe('too_large');
    expect((await readAll(open({ max_bytes: STATE.length }), LOCATION)).text).toBe(STATE);
  });

  test('the caller can cancel, and gets its own reason', async () => {
    gcs.troubles.push({ operation: 'objects.get', how: 'hang' });
    const stop = new Error('canceled by the caller');

    await expect(open().fetch(LOCATION, ACCESS, AbortSignal.abort(stop))).rejects.toBe(stop);
  });

  test('a body of which the caller reads only a part ends its connection', async () => {
    const { body } = await open().fetch(LOCATION, ACCESS, AbortSignal.timeout(5_000));

    for await (const chunk of body) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      break;
    }
  });

  test('requests ask for one object with a read-only token', async () => {
    const asked: unknown[] = [];
    const openGoogleToken = async (access: unknown, scopes: readonly string[]) => {
      asked.push(access, scopes);
      return issueToken();
    };

    await readAll(open({ openGoogleToken }), LOCATION);

    expect(asked).toEqual([ACCESS, ['https://www.googleapis.com/auth/devstorage.read_only']]);
    expect(gcs.requests.at(-1)?.path).toBe('/storage/v1/b/states/o/prod%2Fa%20b%23%3F%C3%BC.tfstate');
  });
});

describe('listing', () => {
  test('keys of states below the prefix are listed in byte order, across pages', async () => {
    const keys = [
      'prod/z.tfstate',
      'prod/é.tfstate',
      'prod/a.tfstate',
      'prod/a.tfstate.backup',
      'prod/x.json',
      'dev/a.tfstate',
    ];
    gcs.buckets.set('states', new Map(keys.map((key) => [key, '{}'])));
    gcs.page_size = 2;

    expect(await list()).toEqual(['prod/a.tfstate', 'prod/z.tfstate', 'prod/é.tfstate']);
    expect(gcs.calls).toHaveLength(3);
    gcs.page_size = 1_000;
  });

  test('a folder without states lists nothing', async () => {
    gcs.buckets.set('states', new Map());

    expect(await list()).toEqual([]);
  });

  test('failures name the bucket', async () => {
    expect((await findFailure(list(open(), { ...FOLDER, bucket: 'gone' } as never)))[0]).toBe('no_such_bucket');
    gcs.denied.add('states');
    expect((await findFailure(list()))[0]).toBe('access_denied');
  });

  test.each([
    ['a web page', HTML_PAGE, 'unusable'],
    ['a page that ends in the middle', 'cut', 'unreachable'],
  ] as const)('%s is an error', async (_title, how, reason) => {
    gcs.troubles.push({ operation: 'objects.list', how });

    expect((await findFailure(list()))[0]).toBe(reason);
  });
});
