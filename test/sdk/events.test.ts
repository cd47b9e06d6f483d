import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { createClient, DpaApiError, type RequestEvent, type ResponseEvent } from '../../sdk/src/index.ts';
import { failure, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

function createRecorder(options: object = {}) {
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const dpa = createClient({
    base_url: server.url,
    token: 'dpa_secret',
    on_request: (event) => void requests.push(event),
    on_response: (event) => void responses.push(event),
    ...options,
  });
  return { dpa, requests, responses };
}

test('each attempt is reported with its method, path, status, number, duration and request ID', async () => {
  const { dpa, requests, responses } = createRecorder();
  server.play(failure(503, 'unavailable'), { body: {} });

  await dpa.orgs.get({ org_id: 'o' });

  const request_id = server.received[0]?.headers['x-request-id'];
  const one = { operation: 'getOrg', method: 'GET', path: '/api/v2/orgs/o', request_id };
  expect(requests).toEqual([
    { ...one, attempt: 1 },
    { ...one, attempt: 2 },
  ]);
  expect(responses).toEqual([
    { ...one, attempt: 1, status: 503, error: 'unavailable', retry_in_ms: 0, duration_ms: expect.any(Number) },
    { ...one, attempt: 2, status: 200, error: null, retry_in_ms: null, duration_ms: expect.any(Number) },
  ]);
});

test('an attempt without a response has no status', async () => {
  const { dpa, responses } = createRecorder({ retries: 0 });
  server.play('hang up');

  await expect(dpa.me.get()).rejects.toThrow('got no response');

  expect(responses).toMatchObject([{ status: null, error: 'DpaConnectionError', retry_in_ms: null }]);
});

test('no event contains a credential, a query or a body', async () => {
  const { dpa, requests, responses } = createRecorder();
  const { body, ...rest } = failure(400, 'invalid_request');
  server.play({ ...rest, body: { ...(body as object), error: 'said in the answer' } });

  await expect(dpa.invitations.accept({ token: 'sent in the body' })).rejects.toBeInstanceOf(DpaApiError);
  await expect(dpa.admin.listUsers({ q: 'asked-in-the-query' })).rejects.toBeInstanceOf(DpaApiError);

  const reported = JSON.stringify([requests, responses]);
  expect(responses).toHaveLength(2);
  for (const secret of ['dpa_secret', 'sent in the body', 'asked-in-the-query', 'said in the answer'])
    expect(reported).not.toContain(secret);
});

test('a hook that throws does not change the call', async () => {
  const failingHook = () => {
    throw new Error('the log is full');
  };
  const { dpa } = createRecorder({ on_request: failingHook, on_response: failingHook });
  server.play({ body: { id: 'o' } });

  expect(await dpa.orgs.get({ org_id: 'o' })).toEqual({ id: 'o' });
});
