import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { Request } from '../../server/contract/operation.ts';
import { createInternalApp, createServer, type Phase } from '../../server/http/index.ts';
import { Conflict, Gone, PaymentRequired, StorageUnavailable, Unavailable } from '../../server/lib/errors.ts';
import { currentRequestId } from '../../server/lib/request-context.ts';
import { API, bearer, document, type Harness, JOB, ORG, SCAN, startHttp, testConfig, testHandlers } from './harness.ts';

const state: { phase: Phase; postgres: 'ok' | 'fail'; fault: unknown } = {
  phase: 'serving',
  postgres: 'ok',
  fault: null,
};

let http: Harness;
beforeAll(async () => {
  const handlers = testHandlers();
  const { getOrg, getMe, getRiskPolicy, replaceRiskPolicy } = handlers;
  handlers.getOrg = (request) => (state.fault === null ? getOrg(request) : Promise.reject(state.fault));
  handlers.getMe = async (request) => {
    const reply = await getMe(request);
    return { ...reply, body: Object.assign(reply.body, { password_hash: 'x' }) };
  };
  handlers.replaceRiskPolicy = async (request) => {
    request.assertKnown((await getRiskPolicy({} as Request<'getRiskPolicy'>)).body);
    return replaceRiskPolicy(request);
  };
  http = await startHttp({
    handlers,
    metrics: new Registry(),
    health: { phase: () => state.phase, checks: async () => ({ postgres: state.postgres }) },
  });
});
afterAll(() => http.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  http.send('GET', path, { headers: { ...bearer('owner'), ...headers } });

describe('request ids', () => {
  test.each(['abc.DEF_0-9', 'x'.repeat(128)])('the valid request id %j is kept', async (id) => {
    const { headers } = await get(`${API}/orgs`, { 'x-request-id': id });

    expect(headers['x-request-id']).toBe(id);
  });

  test.each(['short', 'x'.repeat(129), 'with space', 'tab\tbed12', 'ünïcødé8', 'a"quote"b', '<script>x'])(
    'the invalid request id %j is replaced',
    async (id) => {
      const headers = { 'x-request-id': Buffer.from(id).toString('latin1') };
      const answer = await http.send('GET', '/nowhere', { headers });

      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.json.request_id).toBe(answer.headers['x-request-id']);
    },
  );
});

describe('conditional reads', () => {
  test.each([`/orgs/${ORG}/llm-jobs/${JOB}`, `/orgs/${ORG}/scans/${SCAN}`, '/openapi.json', '/openapi.yaml'])(
    '%s',
    async (path) => {
      const first = await get(API + path);
      const tag = first.headers['etag']!;
      const strong = tag.replace('W/', '');
      const tries = [tag, strong, `"x", ${tag}`, '*'];
      const unchanged = await Promise.all(tries.map((one) => get(API + path, { 'if-none-match': one })));
      const changed = await get(API + path, { 'if-none-match': 'W/"other"' });

      expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
      expect(first.headers['cache-control']).toBe('private, no-cache');
      expect(unchanged.map(({ status, text }) => [status, text])).toEqual(tries.map(() => [304, '']));
      expect(unchanged[0]!.headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
      expect(changed.status).toBe(200);
    },
  );

  test('other responses have no ETag and must not be cached', async () => {
    const { headers } = await get(`${API}/orgs`, { 'if-none-match': '*' });

    expect([headers['etag'], headers['cache-control']]).toEqual([undefined, 'no-store']);
  });
});

describe('conditional writes', () => {
  const path = `${API}/orgs/${ORG}/risk-policy`;
  const put = (headers: Record<string, string> = {}, rules: unknown = []) =>
    http.send('PUT', path, { headers: { ...bearer('owner'), ...headers }, json: { rules } });

  test('a write is done if If-Match names the current version in any form, or is absent', async () => {
    const { headers } = await get(path);
    const tag = headers['etag']!;
    const strong = tag.replace('W/', '');
    const tries = [{}, ...[tag, strong, `"x", ${tag}`, '*'].map((one) => ({ 'if-match': one }))];
    const answers = await Promise.all(tries.map((one) => put(one)));

    expect(answers.map(({ status }) => status)).toEqual(tries.map(() => 200));
    expect(answers[0]!.headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
  });

  test.each(['W/"other"', '""', 'x', ''])('a write is rejected if If-Match is %p', async (tag) => {
    const { status, json } = await put({ 'if-match': tag });

    expect([status, json.error_class]).toEqual([412, 'precondition_failed']);
  });

  test('the HTTP layer rejects only malformed lists and leaves the comparison to the domain', async () => {
    expect((await put({}, [{ odd: [1, null, { deep: 'x' }] }, 'x'])).status).toBe(200);
    expect((await put({}, { length: 0 })).status).toBe(400);
    expect((await put({}, [{ text: 'a\u0000b' }])).json.details[0].path).toBe('/body/rules/0/text');
  });
});

describe('cross-origin requests', () => {
  const preflight = (origin: string) =>
    http.send('OPTIONS', `${API}/orgs`, { headers: { origin, 'access-control-request-method': 'POST' } });

  test('an allowed origin can call the API', async () => {
    const { headers } = await get(`${API}/orgs`, { origin: 'https://app.example.com' });
    const asked = await preflight('https://app.example.com');

    expect(headers['access-control-allow-origin']).toBe('https://app.example.com');
    expect(headers['access-control-expose-headers']).toContain('X-Total-Count');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['vary']).toContain('Origin');
    expect(asked.status).toBe(204);
    expect(asked.headers['access-control-allow-headers']).toContain('idempotency-key');
  });

  test('another origin cannot call the API', async () => {
    const { headers } = await get(`${API}/orgs`, { origin: 'https://evil.example.com' });
    const asked = await preflight('https://app.example.com.evil.com');

    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('every response has security headers', async () => {
  const { headers } = await http.send('GET', '/nowhere');

  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  expect(headers['x-powered-by']).toBeUndefined();
});

describe('the contract endpoints', () => {
  test('the contract is served as the original file', async () => {
    const [yaml, json] = await Promise.all([get(`${API}/openapi.yaml`), get(`${API}/openapi.json`)]);

    expect(yaml.text).toBe(document.yaml);
    expect(json.json).toEqual(document.api);
  });

  test('the contract is compressed for clients that accept it, with the same ETag', async () => {
    const [zipped, plain] = await Promise.all(
      ['gzip', 'identity'].map((coding) => get(`${API}/openapi.json`, { 'accept-encoding': coding })),
    );

    expect([zipped!.headers['content-encoding'], plain!.headers['content-encoding']]).toEqual(['gzip', undefined]);
    expect(Number(zipped!.headers['content-length'])).toBeLessThan(Number(plain!.headers['content-length']) / 4);
    expect(zipped!.headers['vary']).toContain('Accept-Encoding');
    expect([zipped!.headers['etag'], zipped!.text]).toEqual([plain!.headers['etag'], plain!.text]);
  });

  test('the documentation page runs its own script and loads nothing from other hosts', async () => {
    const page = await http.send('GET', `${API}/docs`);
    const src = /<script src="([^"]+)">/.exec(page.text)?.[1];
    const script = await http.send('GET', src!);

    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/https?:/);
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(script.text.length).toBeGreaterThan(100_000);
  });
});

describe('internal errors reveal no details', () => {
  const RETRY_AFTER: Record<string, string> = { unavailable: '5', storage_unavailable: '30' };
  const sql = Object.assign(new Error('insert into "orgs" failed: invalid byte sequence'), { code: '22021' });
  test.each([
    ['an unknown error', new Error('at Object.<anonymous> (/srv/app.js:12:3)'), 500, 'internal'],
    ['a thrown string', 'select * from users', 500, 'internal'],
    ['data that PostgreSQL rejects', sql, 400, 'invalid_request'],
    ['a violated database constraint', Object.assign(new Error('x'), { code: '23514' }), 500, 'internal'],
    ['no database', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 503, 'unavailable'],
    ['a canceled statement', Object.assign(new Error('x'), { code: '57014' }), 503, 'unavailable'],
    ['a lock timeout', Object.assign(new Error('x'), { code: '55P03' }), 503, 'unavailable'],
    ['a full disk', new StorageUnavailable('no room', { code: '53100' }), 503, 'storage_unavailable'],
    ['a missing record with a message', new Unavailable('the identity provider cannot be reached'), 503, 'unavailable'],
  ])('%s', async (_name, fault, status, error_class) => {
    state.fault = fault;
    const answer = await get(`${API}/orgs/${ORG}`);
    state.fault = null;

    expect([answer.status, answer.json.error_class]).toEqual([status, error_class]);
    expect(Object.keys(answer.json)).toEqual(expect.arrayContaining(['error', 'error_class', 'request_id']));
    expect(answer.text).not.toMatch(/\.[jt]s:\d|select|insert|22021|byte sequence/i);
    expect(answer.headers['retry-after']).toBe(status === 503 ? RETRY_AFTER[error_class] : undefined);
    const logged = http.lines.find((line) => line['request_id'] === answer.json.request_id && line['err']);
    expect(logged !== undefined).toBe(status >= 500);
  });

  test('a status that the contract does not declare is an internal error, which tests detect', async () => {
    state.fault = new Conflict('no', 'slug_taken');
    const answer = await get(`${API}/orgs/${ORG}`);
    state.fault = null;

    expect(answer.status).toBe(500);
  });

  test('a column that leaks into a response is an internal error', async () => {
    expect((await get(`${API}/me`)).status).toBe(500);
  });
});

test('a request writes one log line, without its query, body or credential', async () => {
  const before = http.lines.length;
  await http.send('POST', `${API}/orgs?secret=query`, {
    headers: { ...bearer('owner'), 'x-request-id': 'line-test-1' },
    json: { display_name: 'Body Text', slug: 'body-text' },
  });

  const lines = http.lines.slice(before);
  expect(lines).toMatchObject([
    {
      level: 30,
      msg: 'request',
      request_id: 'line-test-1',
      operation: 'createOrg',
      method: 'POST',
      path: `${API}/orgs`,
      status: 201,
      duration_ms: expect.any(Number),
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/secret|Body Text|Bearer|owner/);
});

describe('health endpoints', () => {
  test('a running service is alive and ready', async () => {
    const [alive, ready] = [await http.send('GET', '/healthz'), await http.send('GET', '/readyz')];

    expect([alive.status, alive.json]).toEqual([200, { status: 'ok' }]);
    expect([ready.status, ready.json]).toEqual([200, { status: 'ok', checks: { postgres: 'ok' } }]);
  });

  test('a failing backend makes the service not ready, but still alive', async () => {
    state.postgres = 'fail';
    const [alive, ready] = [await http.send('GET', '/healthz'), await http.send('GET', '/readyz')];
    state.postgres = 'ok';

    expect([alive.status, ready.status]).toEqual([200, 503]);
    expect(ready.json).toEqual({ status: 'fail', checks: { postgres: 'fail' } });
  });

  test('a draining service is not ready, still serves requests, and closes connections', async () => {
    state.phase = 'draining';
    const [ready, served] = [await http.send('GET', '/readyz'), await get(`${API}/orgs`)];
    state.phase = 'serving';

    expect([ready.status, ready.json.status]).toEqual([503, 'draining']);
    expect([served.status, served.headers['connection']]).toEqual([200, 'close']);
  });

  test('metrics list every operation and are available only locally', async () => {
    await get(`${API}/orgs`);
    const [here, passed_on] = [
      await http.send('GET', '/metrics'),
      await http.send('GET', '/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } }),
    ];

    expect(here.text).toMatch(
      /dpa_http_request_duration_seconds_count\{operation="listOrgs",method="GET",status="200"\} \d/,
    );
    expect(passed_on.status).toBe(404);
  });

  test('with a port of their own, metrics are not on the API port', async () => {
    const other = await startHttp({ config: testConfig({ internal_port: 9090 }) });
    const answers = await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => other.send('GET', path)));
    await other.close();

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('the metrics port serves nothing else', async () => {
    const health = { phase: () => 'serving' as const, checks: async () => ({}) };
    const server = createServer(createInternalApp({ health, metrics: new Registry() })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    const answers = await Promise.all(['/healthz', '/readyz', '/metrics', `${API}/me`].map(ask));
    server.close();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
  });
});

describe('errors with a body of their own', () => {
  const LIMIT = {
    message: 'The free plan has 1 seat, and 1 is taken.',
    limit: 1,
    used: 1,
    plan: 'free',
    required_plan: 'team',
    resource: 'seats',
  } as const;
  const broken_anchor = new Conflict('audit chain head is below the expected sequence', 'chain_head_below_anchor', {
    reason: 'head_seq 41 is below expected_min_seq 50',
    body: { head_seq: 41, expected_min_seq: 50 },
  });
  const invite = { email: 'bo@example.com', role: 'viewer' };

  test.each([
    [
      'a plan without the feature',
      'createInvitation',
      new PaymentRequired('plan_limit_exceeded', LIMIT),
      402,
      { code: 'plan_limit_exceeded', error: 'plan_limit_exceeded', error_class: 'plan_limit_exceeded', ...LIMIT },
    ],
    [
      'a chain that ends too early',
      'verifyOrgAuditLog',
      broken_anchor,
      409,
      {
        error: 'audit chain head is below the expected sequence',
        error_class: 'chain_head_below_anchor',
        reason: 'head_seq 41 is below expected_min_seq 50',
        head_seq: 41,
        expected_min_seq: 50,
      },
    ],
    [
      'an expired invitation',
      'acceptInvitation',
      new Gone('the invitation has expired; ask for a new one', 'invitation_closed'),
      410,
      { error: 'the invitation has expired; ask for a new one', error_class: 'invitation_closed' },
    ],
  ] as const)('%s', async (_name, operation, fault, status, body) => {
    const handlers = { ...testHandlers(), [operation]: () => Promise.reject(fault) };
    const failing = await startHttp({ handlers });
    const requests = {
      createInvitation: ['POST', `/orgs/${ORG}/invitations`, invite],
      verifyOrgAuditLog: ['GET', `/orgs/${ORG}/audit-log/verify`, undefined],
      acceptInvitation: ['POST', '/invitations/accept', { token: 'x' }],
    } as const;
    const [method, path, json] = requests[operation];
    const answer = await failing.send(method, API + path, { headers: bearer('owner'), ...(json && { json }) });
    await failing.close();

    expect([answer.status, answer.json]).toEqual([status, { ...body, request_id: answer.headers['x-request-id'] }]);
  });
});

test('a handler runs in the context of its request', async () => {
  let seen: string | undefined;
  const handlers = testHandlers();
  const { getAdminMe } = handlers;
  handlers.getAdminMe = async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    seen = currentRequestId();
    return getAdminMe(request);
  };
  const other = await startHttp({ handlers });
  const answer = await other.send('GET', `${API}/admin/me`, { headers: bearer('viewer') });
  await other.close();

  expect([answer.status, seen]).toEqual([200, answer.headers['x-request-id']]);
});
