import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type Client,
  type ClientOptions,
  createClient,
  DpaApiError,
  DpaConnectionError,
  DpaError,
  DpaTimeoutError,
  isApiError,
} from '../../sdk/src/index.ts';
import { failure, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
// A new server for each test: a request that its client has canceled may still arrive.
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());
// Retries wait only if Retry-After requests it.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

const ORG = { id: 'org/1', slug: 'acme' };
const path = { id: ORG.id };
const client = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ base_url: `${server.url}/`, token: 'dpa_key', ...options });
const catchError = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a request', () => {
  test('contains the path and query of the operation, the key and the user agent', async () => {
    server.play({ body: { scans: [] } });

    await client({ user_agent: 'bot/2' }).call('listScans', { path, query: { status: 'done', limit: 5 } });

    expect(server.received[0]).toMatchObject({
      method: 'GET',
      url: '/api/v2/orgs/org%2F1/scans?status=done&limit=5',
      headers: { 'x-api-key': 'dpa_key', 'user-agent': expect.stringMatching(/^dpa-sdk\/\d+\.\d+\.\d+ bot\/2$/) },
    });
    expect(server.received[0]?.headers).not.toHaveProperty('authorization');
  });

  test('gets the token before each attempt, and public operations get none', async () => {
    const tokens = ['a.b.c', 'd.e.f'];
    const client_with_token = client({ token: async () => tokens.shift() ?? '' });
    server.play(failure(503, 'unavailable'), { body: ORG });
    await client_with_token.call('getOrg', { path });

    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer a.b.c', 'Bearer d.e.f']);

    server.play({ body: {} });
    await client_with_token.call('getOpenapiJson');
    expect(server.received[0]?.headers).not.toHaveProperty('authorization');
  });

  test('without a path parameter is not sent', async () => {
    server.play({ body: ORG });

    await expect(client().call('getOrg', { path: { id: '' } })).rejects.toThrow('getOrg needs path.id');
    expect(server.received).toEqual([]);
  });

  test('with a long body is compressed', async () => {
    server.play({ status: 202, body: { job_id: 'j' } });
    const body = { plan_json: 'x'.repeat(50_000) };

    await client().call('analyzePlan', { path, body });

    expect(server.received[0]?.headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual(body);
  });

  test('with If-None-Match reports an unchanged record', async () => {
    server.play({ status: 304, headers: { etag: 'W/"1"' } });

    const { status, body } = await client().request('getRiskPolicy', { path, headers: { 'If-None-Match': 'W/"1"' } });

    expect({ status, body }).toEqual({ status: 304, body: undefined });
    expect(server.received[0]?.headers).toMatchObject({ 'if-none-match': 'W/"1"' });
  });
});

describe('an error response', () => {
  test('has the error class, the request ID and the details of the service', async () => {
    const details = [{ path: 'body.slug', message: 'too short' }];
    const { body, ...rest } = failure(400, 'invalid_request');
    server.play({ ...rest, body: { ...(body as object), details } });

    const error = await catchError(client().call('getMe'));

    expect(error).toMatchObject({ status: 400, error_class: 'invalid_request', request_id: 'req-0001', details });
    expect((error as Error).message).toBe('getMe failed: It is invalid_request. (status 400, request req-0001)');
    expect([isApiError(error), isApiError(error, 'invalid_request'), isApiError(error, 'not_found')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('with status 402 has the exceeded limit', async () => {
    const plan_limit = { limit: 1, used: 1, plan: 'free', required_plan: 'team', resource: 'seats' };
    const limit_error = { code: 'plan_limit_exceeded', error: 'plan_limit_exceeded', message: 'No seat is left.' };
    server.play({
      status: 402,
      body: { ...limit_error, ...plan_limit, error_class: limit_error.code, request_id: 'r' },
    });

    expect(await catchError(client().call('getMe'))).toMatchObject({ plan_limit, message: /No seat is left/ });
  });

  test.each([
    ['a page of a proxy', { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad</h1>' }],
    ['broken JSON', { status: 500, headers: { 'content-type': 'application/json' }, body: '{"error' }],
    ['nothing', { status: 500 }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['a page in place of JSON', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }],
  ])('that is %s is still an error with a request ID', async (_what, response) => {
    server.play(response);

    const error = await catchError(client({ retries: 0 }).call('getMe'));

    expect(error).toBeInstanceOf(DpaApiError);
    expect(error).toMatchObject({ status: response.status, error_class: 'foreign_answer' });
    expect(error).toBeInstanceOf(DpaError);
    expect((error as Error).message).toContain('the response does not come from dpa; check base_url.');
    expect((error as DpaApiError).request_id).toBe(server.received[0]?.headers['x-request-id']);
  });
});

describe('a failed attempt', () => {
  test.each([
    ['429', failure(429, 'rate_limited')],
    ['503', failure(503, 'unavailable')],
    ['502 of a proxy', { status: 502, body: 'bad gateway' }],
    ['a lost connection', 'hang up' as const],
  ])('with %s is retried with the same request ID', async (_what, step) => {
    server.play(step, step, { body: ORG });

    expect(await client().call('getOrg', { path })).toEqual(ORG);
    expect(server.received).toHaveLength(3);
    expect(new Set(server.received.map(({ headers }) => headers['x-request-id'])).size).toBe(1);
  });

  test.each([400, 401, 404, 409, 500])('with %d is not retried', async (status) => {
    server.play(failure(status, 'internal'));

    expect(await catchError(client().call('getOrg', { path }))).toMatchObject({ status });
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ['a lost connection', 'hang up' as const],
    ['a timeout', 'silence' as const],
  ])('with %s is a DpaError', async (_what, step) => {
    server.play(step);

    expect(await catchError(client({ retries: 0, timeout_ms: 40 }).call('getMe'))).toBeInstanceOf(DpaError);
  });

  test('is thrown after the last retry', async () => {
    server.play('hang up');

    expect(await catchError(client({ retries: 1 }).call('getOrg', { path }))).toBeInstanceOf(DpaConnectionError);
    expect(server.received).toHaveLength(2);
  });

  test('is retried after Retry-After, and not at all if that is too long', async () => {
    server.play(failure(429, 'rate_limited', { 'retry-after': '1' }), { body: ORG });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    await client().call('getOrg', { path });
    expect(timers.mock.calls.map(([, delay]) => delay)).toContain(1_000);
    timers.mockRestore();

    server.play(failure(429, 'analyze_rate_limited', { 'retry-after': '1800' }));
    const error = await catchError(client().call('getOrg', { path }));
    expect(error).toMatchObject({ retry_after: 1_800, message: expect.stringContaining('try again in 30 minutes') });
    expect(server.received).toHaveLength(1);
  });

  test('of a POST is retried with one idempotency key, also while the first attempt is still running', async () => {
    const created = { path, body: { name: 'k', scopes: ['read' as const] } };
    server.play('hang up', failure(409, 'idempotency_in_progress', { 'retry-after': '0' }), { status: 201, body: {} });
    await client().call('createApiKey', created);
    const [first] = server.received;
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array(3).fill(first?.headers['idempotency-key']),
    );

    await client().call('createApiKey', { ...created, headers: { 'Idempotency-Key': 'mine' } });
    expect(server.received.at(-1)?.headers['idempotency-key']).toBe('mine');
  });

  test('of a POST without a key, or of a PATCH, is not retried', async () => {
    server.play(failure(503, 'unavailable'));
    await catchError(client().call('acceptInvitation', { body: { token: 't' } }));
    await catchError(client().call('updateOrg', { path, body: { display_name: 'x' } }));

    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });
});

describe('a timeout or an abort', () => {
  test('ends an attempt without a response', async () => {
    server.play('silence');

    const error = await catchError(client({ retries: 1 }).call('getOrg', { path, timeout_ms: 40 }));

    expect(error).toBeInstanceOf(DpaTimeoutError);
    expect(error).toMatchObject({ operation: 'getOrg', timeout_ms: 40, request_id: expect.stringMatching(/.{36}/) });
    expect(server.received).toHaveLength(2);
  });

  test.each([
    ['an attempt', 'silence' as const],
    ['a wait', failure(429, 'rate_limited', { 'retry-after': '30' })],
  ])('during %s ends the call', async (_what, step) => {
    server.play(step);
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const call = catchError(client().call('getOrg', { path, signal: controller.signal }));
    while (server.received.length === 0) await wait(5);
    controller.abort(reason);

    expect(await call).toBe(reason);
    expect(server.received).toHaveLength(1);
  });

  test('before the call sends no request', async () => {
    server.play({ body: ORG });
    const aborted = AbortSignal.abort(new Error('gone'));

    await expect(client().call('getOrg', { path, signal: aborted })).rejects.toThrow('gone');
    expect(server.received).toEqual([]);
  });
});

describe('a list', () => {
  const all = async (items: AsyncIterable<unknown>) => {
    const found: unknown[] = [];
    for await (const item of items) found.push(item);
    return found;
  };

  test('in an envelope is read to the end', async () => {
    const page = (scans: number[]) => ({ headers: { 'x-total-count': '3' }, body: { total: 3, scans } });
    server.play(page([1, 2]), page([3]));

    expect(await all(client().paginate('listScans', { path, query: { limit: 2 } }))).toEqual([1, 2, 3]);
    expect(server.received.map(({ url }) => url.split('?')[1])).toEqual(['limit=2&offset=0', 'limit=2&offset=2']);
  });

  test('without an envelope is read from the given offset', async () => {
    const headers = { 'x-total-count': '12' };
    server.play({ headers, body: [{ id: 'a' }] }, { headers, body: [{ id: 'b' }] });

    expect(await all(client().paginate('listUsers', { query: { offset: 10 } }))).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(server.received.map(({ url }) => url.split('?')[1])).toEqual(['offset=10', 'offset=11']);
  });

  test('that shrinks in the meantime ends', async () => {
    server.play({ headers: { 'x-total-count': '9' }, body: { orgs: [1] } }, { headers: {}, body: { orgs: [] } });

    expect(await all(client().paginate('listOrgs'))).toEqual([1]);
  });
});
