import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fetchPinned } from '../../../server/adapters/egress/fetch-pinned.ts';
import { createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts';
import { ACCEPTED, REFUSED } from './corpus.ts';

const outgoing = (timeout_ms = 2_000) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', host: 'evil.example', 'accept-encoding': 'gzip' },
  body: '{"a":1}',
  signal: AbortSignal.timeout(timeout_ms),
});

describe('addresses of a fetch', () => {
  test('a URL that cannot be saved is not requested, wherever its name resolves', async () => {
    const guarded = createGuardedFetch({ resolve: async () => ['1.1.1.1'] });

    const ends = await Promise.allSettled(REFUSED.map((url) => guarded(url, outgoing())));

    expect(ends.map((end) => (end.status === 'rejected' ? end.reason.reason : 'asked'))).toEqual(
      REFUSED.map(() => 'refused'),
    );
  });

  test.each([['127.0.0.1'], ['1.1.1.1', '10.0.0.1'], ['::1'], ['::ffff:169.254.169.254']])(
    'a name that resolves to %p is not requested',
    async (...addresses) => {
      const guarded = createGuardedFetch({ resolve: async () => addresses });

      const ends = await Promise.allSettled(ACCEPTED.slice(0, 3).map((url) => guarded(url, outgoing())));

      expect(ends.filter((end) => end.status === 'fulfilled')).toEqual([]);
    },
  );

  test('each call resolves the name again', async () => {
    let lookups = 0;
    const guarded = createGuardedFetch({ resolve: async () => [lookups++ === 0 ? '2d00::1' : '127.0.0.1'] });

    const first = guarded('https://turns.example.com:8443/', outgoing(300));
    await expect(first).rejects.toMatchObject({ reason: 'unreachable' });
    await expect(guarded('https://turns.example.com:8443/', outgoing(300))).rejects.toMatchObject({
      reason: 'refused',
    });
  });

  test('the signal aborts a name server that does not respond', async () => {
    const guarded = createGuardedFetch({ resolve: () => new Promise(() => {}) });

    await expect(guarded('https://silent.example.com/', outgoing(50))).rejects.toMatchObject({ reason: 'unreachable' });
  });
});

describe('responses of a fetch', () => {
  const seen: unknown[] = [];
  let server: Server;
  beforeAll(async () => {
    server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push([request.method, request.url, request.headers.host, request.headers['accept-encoding'], body]);
      if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'));
      else if (request.url === '/empty') response.writeHead(204).end();
      else if (request.url === '/odd') response.writeHead(999).end();
      else if (request.url === '/moved') response.writeHead(307, { location: 'https://127.0.0.1/' }).end();
      else if (request.url === '/slow') response.writeHead(200).write('x');
      else response.writeHead(429, { 'retry-after': '3', 'set-cookie': ['a=1', 'b=2'] }).end('wait');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = (path: string, timeout_ms?: number) => {
    const url = new URL(`https://pinned.example.com:${(server.address() as AddressInfo).port}${path}`);
    return fetchPinned({ ...outgoing(timeout_ms), url, address: '127.0.0.1', ca: TEST_CERTIFICATE });
  };

  test('a response comes from the checked address under the name, with status, headers and body', async () => {
    const response = await ask('/x?y=1');

    expect([response.status, response.ok, response.headers.get('retry-after')]).toEqual([429, false, '3']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('wait');
    const { port } = server.address() as AddressInfo;
    expect(seen).toEqual([['POST', '/x?y=1', `pinned.example.com:${port}`, 'identity', '{"a":1}']]);
  });

  test('a redirect is returned like other responses', async () => {
    expect((await ask('/moved')).status).toBe(307);
  });

  test('a response without a body is accepted', async () => {
    const response = await ask('/empty');

    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  test.each(['/gzip', '/odd'])('%s is unusable', async (path) => {
    await expect(ask(path)).rejects.toMatchObject({ name: 'EgressError', reason: 'unusable' });
  });

  test('the signal also aborts reading the body', async () => {
    const response = await ask('/slow', 200);

    await expect(response.text()).rejects.toBeDefined();
  });
});

describe('limits of a request', () => {
  let silent: TcpServer;
  beforeAll(async () => {
    // Accepts connections, but does not take part in TLS.
    silent = createTcpServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => silent.close(resolve)));

  test('a connection that is not established in time is given up, and the next address is tried', async () => {
    const { port } = silent.address() as AddressInfo;
    const guarded = createGuardedFetch({
      allowed_hosts: [`slow.lan:${port}`],
      resolve: async () => ['127.0.0.1', '127.0.0.2'],
    });
    const request = { method: 'GET', headers: {}, signal: AbortSignal.timeout(5_000), connect_timeout_ms: 50 };

    const failure = await guarded(`https://slow.lan:${port}/`, request).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: 'EgressError', reason: 'unreachable' });
    expect((failure as Error).cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('a longer URL is allowed where the request says so', async () => {
    const guarded = createGuardedFetch({ resolve: async () => ['127.0.0.1'] });
    const url = `https://example.com/${'a'.repeat(3_000)}`;
    const request = { ...outgoing(), method: 'GET' };

    await expect(guarded(url, request)).rejects.toThrow('at most 2000 characters');
    await expect(guarded(url, { ...request, max_url_length: 4_000 })).rejects.toThrow('not on the public internet');
  });
});
