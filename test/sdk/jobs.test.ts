import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, DpaJobError, DpaTimeoutError, DpaUsageError } from '../../sdk/src/index.ts';
import { failure, type ScriptedServer, type Step, startScriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const PLAN = '{"format_version":"1.2","resource_changes":[],"variables":{"password":{"value":"s3cr3t"}}}';
const ACCEPTED: Step = { status: 202, body: { job_id: 'j1', scan_run_id: 's1', status: 'pending' } };
const job = (status: string, more: object = {}, headers: Record<string, string> = {}): Step => ({
  headers: { 'x-request-id': 'poll-0001', ...headers },
  body: { job_id: 'j1', kind: 'analyze', status, ...more },
});
const pending = job('pending', {}, { etag: 'W/"p"', 'retry-after': '5' });
const analyze = (more: object = {}) =>
  createClient({ base_url: server.url, token: 'dpa_k' }).analyze({ org_id: 'o', plan: PLAN, ...more });

test('an analysis is submitted without secrets and polled with its ETag until the result', async () => {
  const result = { risk_level: 'low' };
  server.play(
    ACCEPTED,
    pending,
    { status: 304, headers: { etag: 'W/"p"', 'retry-after': '5' } },
    job('done', { result }),
  );
  const polled: string[] = [];

  const verdict = await analyze({
    ci: { branch: 'main' },
    on_poll: ({ status }: { status: string }) => polled.push(status),
  });

  expect(verdict).toEqual(result);
  expect(polled).toEqual(['pending', 'pending', 'done']);
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /api/v2/orgs/o/analyze',
    ...Array(3).fill('GET /api/v2/orgs/o/llm-jobs/j1'),
  ]);
  expect(server.received.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    undefined,
    'W/"p"',
    'W/"p"',
  ]);
  expect(server.received[0]?.body).not.toContain('s3cr3t');
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ ci: { branch: 'main' } });
});

test('an analysis without waiting returns its IDs', async () => {
  server.play(ACCEPTED);

  expect(await analyze({ wait: false, idempotency_key: 'ci-7' })).toEqual({
    job_id: 'j1',
    scan_run_id: 's1',
    status: 'pending',
  });
  expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['ci-7']);
});

test('a failed job throws the error of the service', async () => {
  server.play(ACCEPTED, job('error', { error: 'The plan is broken.', error_class: 'invalid_plan_json' }));

  const error = await analyze().catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(DpaJobError);
  expect(error).toMatchObject({
    job_id: 'j1',
    error_class: 'invalid_plan_json',
    request_id: 'poll-0001',
    message: expect.stringContaining('The plan is broken.'),
  });
});

test('a job that does not end in time can be waited for again', async () => {
  server.play(ACCEPTED, pending);

  const error = await analyze({ timeout_ms: 100 }).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(DpaTimeoutError);
  expect(error).toMatchObject({ job_id: 'j1', timeout_ms: 100 });
});

test('waiting ends immediately when the caller aborts', async () => {
  server.play(ACCEPTED, pending);
  const controller = new AbortController();
  const polls: unknown[] = [];

  const waiting = analyze({
    signal: controller.signal,
    on_poll(polled: unknown) {
      polls.push(polled);
      setTimeout(() => controller.abort(new Error('enough')), 0);
    },
  });

  await expect(waiting).rejects.toThrow('enough');
  expect(polls).toHaveLength(1);
});

test('a rejected plan throws the error of the submission', async () => {
  server.play(failure(400, 'invalid_plan_json'));

  await expect(analyze({ plan: 'no plan' })).rejects.toMatchObject({ error_class: 'invalid_plan_json' });
  expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ plan_json: 'no plan' });
});

test('a job of another kind than expected is rejected immediately', async () => {
  server.play(pending);

  const wait = createClient({ base_url: server.url, token: 'dpa_k' }).waitForJob({
    org_id: 'o',
    job_id: 'j1',
    kind: 'fix',
  });

  const error = await wait.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DpaUsageError);
  expect((error as Error).message).toContain('job j1 has the kind "analyze", not "fix"');
  expect(server.received).toHaveLength(1);
});
