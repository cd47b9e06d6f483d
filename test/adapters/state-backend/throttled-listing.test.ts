import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createGuardedFetch, type GuardedFetch } from '../../../server/adapters/egress/index.ts';
import { askPatiently } from '../../../server/adapters/state-backend/patience.ts';
import { StateBackendError, type StateFolder } from '../../../server/adapters/state-backend/types.ts';
import { type FakeGcs, startFakeGcs } from '../../fakes/state/gcs.ts';
import { type FakeS3, s3Error, startFakeS3 } from '../../fakes/state/s3.ts';
import { ACCESS, createTestBackend, findFailure, TOKEN } from './setup.ts';

const KEYS = ['prod/a.tfstate', 'prod/b.tfstate', 'prod/c.tfstate'];
const BUCKETS = () => new Map([['states', new Map(KEYS.map((key) => [key, '{}']))]]);

describe('a listing whose second page is throttled', () => {
  let gcs: FakeGcs;
  let s3: FakeS3;
  let waits: number[];
  beforeAll(async () => {
    [gcs, s3] = await Promise.all([startFakeGcs(), startFakeS3()]);
  });
  beforeEach(() => {
    waits = [];
    azure_calls = 0;
    gcs.tokens = new Set([TOKEN]);
    for (const server of [gcs, s3]) Object.assign(server, { buckets: BUCKETS(), page_size: 1 });
    for (const server of [gcs, s3]) for (const list of [server.calls, server.troubles]) list.length = 0;
  });
  afterAll(() => Promise.all([gcs.close(), s3.close()]));

  const wait = async (ms: number) => void waits.push(ms);
  const list = (folder: StateFolder) =>
    createTestBackend([], {
      gcs_endpoint: gcs.url,
      findS3Endpoint: () => s3.url,
      fetch: async (url, request) => (url.includes('.blob.core.') ? askAzure(url) : guarded(url, request)),
      wait,
    }).list(folder, ACCESS, { max: 500, signal: AbortSignal.timeout(10_000) });
  const guarded: GuardedFetch = (url, request) =>
    createGuardedFetch({ allowed_hosts: [gcs, s3].map((server) => new URL(server.url).host) })(url, request);
  /** Throttles the second request. */
  let azure_calls: number;
  const askAzure = (url: string) => {
    azure_calls += 1;
    const busy = { status: 503, headers: { 'x-ms-error-code': 'ServerBusy', 'retry-after': '7' } };
    if (azure_calls === 2) return new Response('', busy);
    const at = Number(new URL(url).searchParams.get('marker') ?? 0);
    const next = at + 1 < KEYS.length ? String(at + 1) : '';
    const blob = `<Blobs><Blob><Name>${KEYS[at]}</Name></Blob></Blobs><NextMarker>${next}</NextMarker>`;
    return new Response(`<?xml version="1.0"?><EnumerationResults>${blob}</EnumerationResults>`);
  };
  const onSecond = (times: number) => {
    let call = 0;
    return () => {
      call += 1;
      return call > 1 && call <= 1 + times;
    };
  };

  test('is complete at Google Cloud, after the time that it asked for', async () => {
    const how = { status: 429, text: '', headers: { 'retry-after': '12' } };
    gcs.troubles.push({ operation: 'objects.list', how, when: onSecond(1) });

    expect(await list({ provider: 'gcp', bucket: 'states', prefix: 'prod/' })).toEqual(KEYS);
    expect([waits, gcs.calls.length]).toEqual([[12_000], 4]);
  });

  test('is complete at AWS, which names no time, after growing pauses', async () => {
    s3.troubles.push({ operation: 'ListObjectsV2', how: s3Error(503, 'SlowDown'), when: onSecond(2), times: 2 });

    expect(await list({ provider: 'aws', bucket: 'states', prefix: 'prod/', region: 'eu-west-1' })).toEqual(KEYS);
    expect(waits).toEqual([1_000, 2_000]);
  });

  test('is complete at Azure', async () => {
    expect(await list({ provider: 'azure', storage_account: 'acme', bucket: 'states', prefix: 'prod/' })).toEqual(KEYS);
    expect(waits).toEqual([7_000]);
  });
});

describe('a page that is always throttled', () => {
  const throttledFor = (retry_after_s: number | undefined) => () =>
    Promise.reject(new StateBackendError('throttled', 'Try later.', { retry_after_s }));
  const never = new AbortController().signal;

  test('is asked for six times', async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);

    expect((await findFailure(askPatiently(throttledFor(undefined), { signal: never, wait })))[0]).toBe('throttled');
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  });

  test('is asked for once if the backend wants more than 20 seconds', async () => {
    const wait = async () => Promise.reject(new Error('waited'));

    expect((await findFailure(askPatiently(throttledFor(21), { signal: never, wait })))[0]).toBe('throttled');
  });

  test('ends with the reason of the caller', async () => {
    const caller = new AbortController();
    const stop = new Error('canceled by the caller');
    const asking = askPatiently(throttledFor(10), { signal: caller.signal });
    caller.abort(stop);

    await expect(asking).rejects.toBe(stop);
  });
});
