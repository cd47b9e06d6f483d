import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEmulator, type Emulator } from 'emulate';
import { createBlobStore } from '../../../server/adapters/blob/index.ts';
import type { StateLocation } from '../../../server/adapters/state-backend/types.ts';
import { HTML_PAGE } from '../../fakes/cloud/rest-server.ts';
import { findFreePort } from '../../fakes/ports.ts';
import { type FakeS3, s3Error, startFakeS3 } from '../../fakes/state/s3.ts';
import { ACCESS, createTestBackend, findFailure, NOW, readAll, STATE } from './setup.ts';

const LOCATION = {
  kind: 's3',
  bucket: 'states',
  key: 'prod/a b+ü.tfstate',
  region: 'eu-west-1',
} satisfies StateLocation;
const FOLDER = { provider: 'aws', bucket: 'states', prefix: 'prod/', region: 'eu-west-1' } as const;

describe('an S3 server that others wrote', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    const seed = { aws: { s3: { buckets: [{ name: 'states' }] } } };
    emulator = await createEmulator({ service: 'aws', port: await findFreePort(), seed });
    const credentials = { access_key_id: 'test', secret_access_key: 'test' };
    const store = createBlobStore({
      kind: 's3',
      bucket: 'states',
      region: 'eu-west-1',
      endpoint: emulator.url,
      credentials,
    });
    for (const key of ['prod/a.tfstate', 'prod/b.tfstate.backup', 'prod/c/d.tfstate', 'dev/e.tfstate']) {
      await store.put(key, Buffer.from(STATE));
    }
  });
  afterAll(async () => void (await emulator.close()));

  const open = () => createTestBackend([emulator], { findS3Endpoint: () => emulator.url });

  test('an object is read unchanged', async () => {
    expect((await readAll(open(), { ...LOCATION, key: 'prod/c/d.tfstate' })).text).toBe(STATE);
  });

  test('keys of states below the prefix are listed', async () => {
    const request = { max: 500, signal: AbortSignal.timeout(5_000) };

    expect(await open().list(FOLDER, ACCESS, request)).toEqual(['prod/a.tfstate', 'prod/c/d.tfstate']);
  });

  test('a missing object and a missing bucket have different reasons', async () => {
    expect((await findFailure(readAll(open(), { ...LOCATION, key: 'gone' })))[0]).toBe('not_found');
    expect((await findFailure(readAll(open(), { ...LOCATION, bucket: 'gone' })))[0]).toBe('no_such_bucket');
  });
});

describe('responses of S3', () => {
  let s3: FakeS3;
  beforeAll(async () => {
    s3 = await startFakeS3();
  });
  beforeEach(() => {
    s3.buckets = new Map([['states', new Map([[LOCATION.key, STATE]])]]);
    s3.headers = { date: NOW.toUTCString() };
    s3.troubles.length = 0;
    s3.calls.length = 0;
  });
  afterAll(() => s3.close());

  const open = (deps = {}) => createTestBackend([s3], { findS3Endpoint: () => s3.url, ...deps });
  const list = (max = 500, prefix = 'prod/') =>
    open().list({ ...FOLDER, prefix }, ACCESS, { max, signal: AbortSignal.timeout(5_000) });

  test('an object is read unchanged, with its ETag, by a request that is signed for the region', async () => {
    const { text, etag } = await readAll(open(), LOCATION);

    expect([text, etag]).toEqual([STATE, '"9b2cf535f27731c974343645a3985328"']);
    expect(s3.requests.at(-1)?.headers.authorization).toContain('/eu-west-1/s3/aws4_request');
    expect(s3.requests.at(-1)?.path).toBe('/states/prod/a%20b%2B%C3%BC.tfstate');
  });

  const moved = { headers: { 'x-amz-bucket-region': 'us-west-2' } };
  const RIGHT_REGION =
    'The S3 bucket "states" is not in the region eu-west-1. It is in us-west-2. Set the region to us-west-2.';

  test.each([
    ['a redirect', s3Error(301, 'PermanentRedirect', moved)],
    ['a redirect with an empty body', { status: 301, text: '', headers: moved.headers }],
    ['a signature of another region', s3Error(400, 'AuthorizationHeaderMalformed', moved)],
    ['a region in the body', s3Error(400, 'AuthorizationHeaderMalformed', { more: '<Region>us-west-2</Region>' })],
  ])('%s names the right region', async (_title, how) => {
    s3.troubles.push({ operation: 'GetObject', how });

    expect(await findFailure(readAll(open(), LOCATION))).toEqual(['wrong_region', RIGHT_REGION]);
  });

  test('a redirect to something that is not a region is not repeated in the message', async () => {
    const headers = { 'x-amz-bucket-region': 'evil.example.com' };
    s3.troubles.push({ operation: 'GetObject', how: s3Error(301, 'PermanentRedirect', { headers }) });

    const [reason, message] = await findFailure(readAll(open(), LOCATION));

    expect([reason, message.includes('evil')]).toEqual(['wrong_region', false]);
  });

  test.each([
    ['no permission', s3Error(403, 'AccessDenied'), 'access_denied'],
    ['a disabled key', s3Error(400, 'KMS.DisabledException'), 'access_denied'],
    ['an unknown access key', s3Error(403, 'InvalidAccessKeyId'), 'credential_rejected'],
    ['a wrong secret', s3Error(403, 'SignatureDoesNotMatch'), 'credential_rejected'],
    ['an expired session', s3Error(400, 'ExpiredToken'), 'credential_rejected'],
    ['an archived object', s3Error(403, 'InvalidObjectState'), 'unusable'],
    ['too many requests', s3Error(503, 'SlowDown'), 'throttled'],
    ['a server error', s3Error(500, 'InternalError'), 'unreachable'],
    ['a bad request', s3Error(400, 'InvalidArgument'), 'unusable'],
    ['a web page instead of the state', HTML_PAGE, 'unusable'],
    ['a web page with an error', { ...HTML_PAGE, status: 502 }, 'unreachable'],
    ['a connection that ends in the middle of the state', 'cut', 'unreachable'],
    ['a connection that ends before the response', 'drop', 'unreachable'],
    ['a state of 1 GB', { status: 200, text: '{', headers: { 'content-length': '1073741824' } }, 'too_large'],
    ['a compressed state', { status: 200, text: 'x', headers: { 'content-encoding': 'gzip' } }, 'unusable'],
  ] as const)('%s is an error that says so', async (_title, how, reason) => {
    s3.troubles.push({ operation: 'GetObject', how });

    expect((await findFailure(readAll(open(), LOCATION)))[0]).toBe(reason);
  });

  test('a wrong clock is named', async () => {
    s3.headers = { date: new Date(NOW.getTime() - 1_200_000).toUTCString() };
    s3.troubles.push({ operation: 'GetObject', how: s3Error(403, 'RequestTimeTooSkewed') });

    const [reason, message] = await findFailure(readAll(open(), LOCATION));

    expect(reason).toBe('credential_rejected');
    expect(message).toContain('The clock of this server is 20 minutes ahead of that of the cloud.');
  });

  test('a server that does not respond times out', async () => {
    s3.troubles.push({ operation: 'GetObject', how: 'hang' });

    expect((await findFailure(readAll(open({ response_ms: 100 }), LOCATION)))[0]).toBe('unreachable');
  });

  test('the caller can cancel, and gets its own reason', async () => {
    const stop = new Error('canceled by the caller');

    await expect(open().fetch(LOCATION, ACCESS, AbortSignal.abort(stop))).rejects.toBe(stop);
  });

  test('keys are listed in byte order, across pages, whatever characters they contain', async () => {
    const keys = [
      'prod/\u{1f600}.tfstate',
      'prod/\uff5e.tfstate',
      'prod/a+b c%20&.tfstate',
      'prod/\u0001.tfstate',
      'prod/b.json',
    ];
    s3.buckets.set('states', new Map(keys.map((key) => [key, '{}'])));
    s3.page_size = 2;

    const listed = await list();
    s3.page_size = 1_000;

    expect(listed).toEqual([
      'prod/\u0001.tfstate',
      'prod/a+b c%20&.tfstate',
      'prod/\uff5e.tfstate',
      'prod/\u{1f600}.tfstate',
    ]);
    expect(s3.calls).toEqual(['ListObjectsV2', 'ListObjectsV2', 'ListObjectsV2']);
  });

  test('a prefix with spaces is asked for as it is', async () => {
    s3.buckets.set('states', new Map([['my states/a.tfstate', '{}']]));

    expect(await list(500, 'my states/')).toEqual(['my states/a.tfstate']);
  });

  test('a listing that fails on a later page fails', async () => {
    s3.buckets.set('states', new Map(['prod/a.tfstate', 'prod/b.tfstate'].map((key) => [key, '{}'])));
    s3.page_size = 1;
    let pages = 0;
    s3.troubles.push({ operation: 'ListObjectsV2', how: s3Error(403, 'AccessDenied'), when: () => pages++ === 1 });

    const failure = await findFailure(list());
    s3.page_size = 1_000;

    expect(failure[0]).toBe('access_denied');
  });

  test.each([
    ['a web page', HTML_PAGE],
    ['a page that ends in the middle', 'cut'],
  ] as const)('%s is not a listing', async (_title, how) => {
    s3.troubles.push({ operation: 'ListObjectsV2', how });

    expect((await findFailure(list()))[0]).toMatch(/unusable|unreachable/);
  });
});

test('hosts of AWS are named after the bucket, and after the region alone if the bucket has dots', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return new Response(STATE);
  };
  const backend = createTestBackend([], { fetch });

  await readAll(backend, LOCATION);
  await readAll(backend, { ...LOCATION, bucket: 'my.states', region: 'cn-north-1' });

  expect(asked.map((url) => new URL(url).host)).toEqual([
    'states.s3.eu-west-1.amazonaws.com',
    's3.cn-north-1.amazonaws.com.cn',
  ]);
});

test('the environment and its credentials are not used', async () => {
  const before = { ...process.env };
  Object.assign(process.env, { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'AKIAENVIRONMENT' });
  const sent: string[] = [];
  const fetch = async (url: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(new URL(url).host, headers['authorization'] ?? '');
    return new Response(STATE);
  };

  await readAll(createTestBackend([], { fetch }), LOCATION);
  process.env = before;

  expect(sent[0]).toBe('states.s3.eu-west-1.amazonaws.com');
  expect(sent[1]).toContain('Credential=AKIAIOSFODNN7EXAMPLE/');
});
