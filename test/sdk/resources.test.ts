import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../sdk/src/generated/operations.ts';
import { RESOURCES } from '../../sdk/src/generated/resources.ts';
import { createClient, DpaApiError, type OperationId } from '../../sdk/src/index.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const client = () => createClient({ base_url: server.url, token: 'dpa_k' });
const METHODS = Object.entries(RESOURCES).flatMap(([resource, methods]) =>
  Object.entries(methods).map(([method, operation]) => [resource, method, operation as OperationId] as const),
);
type AnyMethod = (params: object) => PromiseLike<unknown>;

test('each operation of the contract is one method', () => {
  const named = METHODS.map(([, , operation]) => operation);

  expect([...named].sort()).toEqual(Object.keys(OPERATIONS).sort());
});

test.each(METHODS)('%s.%s sends the same request as call(%s)', async (resource, method, operation) => {
  const { method: verb, path } = OPERATIONS[operation];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const values = Object.fromEntries(names.map((name) => [name, `${name}/1`]));
  const extra = { color: 'red' };
  const answer = 'answers_text' in OPERATIONS[operation] ? { body: 'text' } : { body: { items: [] } };
  server.play(answer);
  const dpa = client();

  const flat = path.startsWith('/orgs/{id}') ? { ...values, id: undefined, org_id: values['id'] } : values;
  const resources = dpa as unknown as Record<string, Record<string, AnyMethod>>;
  await resources[resource]?.[method]?.({ ...JSON.parse(JSON.stringify(flat)), ...extra });
  const call = dpa.call as (operation: OperationId, params: object) => Promise<unknown>;
  await call(operation, {
    path: values,
    ...(verb === 'GET' || verb === 'DELETE' ? { query: extra } : { body: extra }),
  });

  const [by_method, by_call] = server.received.map((request) => ({ ...request, headers: undefined }));
  expect(by_method).toEqual(by_call);
  expect(by_method?.method).toBe(verb);
});

describe('a method', () => {
  test('accepts headers and call options', async () => {
    server.play({ status: 201, body: {} });

    await client().apiKeys.create(
      { org_id: 'o', name: 'ci', scopes: ['read'] },
      { headers: { 'Idempotency-Key': 'mine' }, retries: 0 },
    );

    expect(server.received[0]?.headers['idempotency-key']).toBe('mine');
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ name: 'ci', scopes: ['read'] });
  });

  test('without a path parameter sends no request', async () => {
    server.play({ body: {} });

    await expect(client().scans.get({ org_id: 'o', scan_id: '' })).rejects.toThrow('getScan needs path.scan_id');
    expect(server.received).toEqual([]);
  });
});

describe('a list', () => {
  const page = (scans: number[]) => ({ headers: { 'x-total-count': '3' }, body: { total: 3, scans } });

  test('resolves to its first page when awaited', async () => {
    server.play(page([1, 2]), page([3]));

    expect(await client().scans.list({ org_id: 'o', limit: 2 })).toEqual({ total: 3, scans: [1, 2] });
    expect(server.received).toHaveLength(1);
  });

  test('yields every item when iterated', async () => {
    server.play(page([1, 2]), page([3]));
    const items: unknown[] = [];
    for await (const scan of client().scans.list({ org_id: 'o', limit: 2 })) items.push(scan);

    expect(items).toEqual([1, 2, 3]);
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/v2/orgs/o/scans?limit=2&offset=0',
      '/api/v2/orgs/o/scans?limit=2&offset=2',
    ]);
  });

  test('sends one request when awaited twice', async () => {
    server.play(page([1]));
    const listing = client().scans.list({ org_id: 'o' });

    expect(await listing).toBe(await listing);
    expect(server.received).toHaveLength(1);
  });

  test('from another service is an error and not an empty list', async () => {
    server.play({ body: { ok: true } });
    const items = client().orgs.list()[Symbol.asyncIterator]();

    await expect(items.next()).rejects.toBeInstanceOf(DpaApiError);
  });
});
