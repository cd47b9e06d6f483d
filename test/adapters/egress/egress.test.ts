import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from '../../../server/adapters/egress/addresses.ts';
import { createEgress, getTrustedJson } from '../../../server/adapters/egress/index.ts';
import { requestJson } from '../../../server/adapters/egress/request-json.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts';
import { ACCEPTED, REFUSED } from './corpus.ts';

const egress = createEgress();

describe('saving URLs', () => {
  test('the corpus covers enough cases', () => {
    expect(new Set(REFUSED).size).toBeGreaterThan(500);
    expect(ACCEPTED.length).toBeGreaterThanOrEqual(14);
  });

  test('every URL in the corpus that is not a public https server is rejected', () => {
    const passed = REFUSED.filter((url) => refusal(url) !== 'url_not_allowed');

    expect(passed).toEqual([]);
  });

  test('public servers are accepted', () => {
    const refused = ACCEPTED.filter((url) => refusal(url) !== undefined);

    expect(refused).toEqual([]);
  });

  test('the message names the field and the fix, and does not contain a password', () => {
    expect(() => egress.assertPublicUrl('https://ana:hunter2@example.com/', 'issuer')).toThrow(
      /^issuer must not contain a user name or password$/,
    );
  });

  function refusal(url: string): unknown {
    try {
      egress.assertPublicUrl(url, 'url');
      return undefined;
    } catch (error) {
      return (error as { error_class?: string }).error_class;
    }
  }
});

describe('checking addresses', () => {
  const PRIVATE: [string, number][] = [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ];
  const number = (address: string) => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);

  test.each(PRIVATE)('no address of %s/%i is public, but its neighbors outside other blocks are', (network, bits) => {
    const first = number(network);
    const size = 2 ** (32 - bits);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: size - 1 }), (offset) => {
        expect(isPublicAddress(dotted(first + offset))).toBe(false);
      }),
    );
    if (first > 0) {
      const before = dotted(first - 1);
      const listed = PRIVATE.some(
        ([other, length]) => Math.floor((first - 1) / 2 ** (32 - length)) === number(other) / 2 ** (32 - length),
      );
      expect(isPublicAddress(before)).toBe(!listed);
    }
  });

  test('an IPv6 address outside 2000::/3 is never public', () => {
    const word = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.tuple(word, word, word, word, word, word, word, word), (words) => {
        fc.pre(words[0] >>> 13 !== 1);
        expect(isPublicAddress(words.map((one) => one.toString(16)).join(':'))).toBe(false);
      }),
    );
  });

  test.each(['', 'example.com', 'fe80::1%eth0', '2606:4700::1%1', '127.1', '0x7f000001', '1.1.1.1.'])(
    '%p is not a public address',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  function dotted(value: number): string {
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
  }
});

/** In the block for public addresses, but in a part that was never assigned. */
const NOBODYS = '2d00::1';

describe('DNS rebinding', () => {
  let trap: Server;
  let port = 0;
  let caught = 0;
  beforeAll(async () => {
    trap = createTcpServer((socket) => {
      caught += 1;
      socket.destroy();
    }) as unknown as Server;
    // The port of https URLs if it is available, so that a missed check would reach it.
    port = await listenOn(trap, 8443).catch(() => listenOn(trap, 0));
  });
  afterAll(() => new Promise<void>((resolve) => trap.close(() => resolve())));

  test('the test server detects requests', async () => {
    await new Promise<void>((resolve) => connect(port, '127.0.0.1').once('close', resolve).resume());

    expect(caught).toBe(1);
  });

  test.each<[string, string[]]>([
    ['both a public and a private address', ['1.1.1.1', '127.0.0.1']],
    ['loopback in IPv6', ['::1']],
    ['loopback mapped into IPv6', ['::ffff:127.0.0.1']],
    ['loopback in NAT64 form', ['64:ff9b::7f00:1']],
    ['an invalid address', ['localhost']],
  ])('of a hundred requests to a name with %s none reaches this machine', async (_title, answers) => {
    const before = caught;
    const guarded = createEgress({ resolve: async () => answers, timeout_ms: 2_000 });

    const ends = await Promise.allSettled(
      Array.from({ length: 100 }, () => guarded.getJson('https://rebinding.example.com:8443/')),
    );

    expect(ends.filter((end) => end.status === 'fulfilled')).toEqual([]);
    expect(ends.map((end) => (end.status === 'rejected' ? end.reason.reason : ''))).toEqual(
      Array.from({ length: 100 }, () => 'refused'),
    );
    expect(caught).toBe(before);
  });

  test('of a hundred requests to a name that alternates between a public and a private address none reaches this machine', async () => {
    const before = caught;
    let turn = 0;
    const resolve = async () => [turn++ % 2 === 0 ? NOBODYS : '127.0.0.1'];
    const guarded = createEgress({ resolve, timeout_ms: 500 });

    const ends = await Promise.allSettled(
      Array.from({ length: 100 }, () => guarded.getJson('https://rebinding.example.com:8443/')),
    );

    expect(ends.filter((end) => end.status === 'fulfilled')).toEqual([]);
    expect(turn).toBe(100);
    expect(caught).toBe(before);
  });

  test('the name is resolved once, and the checked address is dialed', async () => {
    let lookups = 0;
    const resolve = async () => (lookups++ === 0 ? [NOBODYS] : ['127.0.0.1']);

    await expect(
      createEgress({ resolve, timeout_ms: 300 }).getJson('https://rebinding.example.com:8443/'),
    ).rejects.toMatchObject({ name: 'EgressError', reason: 'unreachable' });

    expect(lookups).toBe(1);
    expect(caught).toBe(1);
  });

  test('a name server that does not respond times out', async () => {
    const guarded = createEgress({ resolve: () => new Promise(() => {}), timeout_ms: 50 });

    await expect(guarded.getJson('https://silent.example.com/')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test('a URL that cannot be saved is not requested', async () => {
    const guarded = createEgress({ resolve: async () => ['1.1.1.1'] });

    await expect(guarded.getJson('http://example.com/')).rejects.toMatchObject({ reason: 'refused' });
    await expect(guarded.getJson('https://127.0.0.1/')).rejects.toMatchObject({ reason: 'refused' });
  });
});

describe('JSON responses', () => {
  const servers: Server[] = [];
  afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))));

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    return `http://127.0.0.1:${await listenOn(server, 0)}/`;
  }

  test('a JSON document is read', async () => {
    const url = await serve((_request, response) => response.end('{"issuer":"x"}'));

    expect(await getTrustedJson(url)).toEqual({ issuer: 'x' });
  });

  test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(status, { location: '/elsewhere' }).end();
    });

    await expect(getTrustedJson(url)).rejects.toMatchObject({ reason: 'unusable' });
    expect(asked).toEqual(['/']);
  });

  test.each<[string, RequestListener]>([
    ['an endless body', (_request, response) => void setInterval(() => response.write('x'.repeat(300_000)), 1).unref()],
    [
      'a compressed body',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}')),
    ],
    ['HTML', (_request, response) => void response.end('<html>secret of theirs</html>')],
    ['an error', (_request, response) => void response.writeHead(500).end('secret of theirs')],
  ])('%s is unusable, and none of it is in the message', async (_title, listener) => {
    const failure = await getTrustedJson(await serve(listener)).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: 'EgressError', reason: 'unusable' });
    expect(String(failure)).not.toContain('secret');
  });

  test('a body that does not end in time is aborted', async () => {
    const url = new URL(await serve((_request, response) => void response.write('{')));

    await expect(requestJson({ url, signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });

  test('the checked address is dialed with the original name in TLS and Host', async () => {
    const hosts: (string | undefined)[] = [];
    const server = createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (request, response) => {
      hosts.push(request.headers.host);
      response.end('[1]');
    });
    servers.push(server as unknown as Server);
    const port = await listenOn(server as unknown as Server, 0);
    const ask = (name: string) =>
      requestJson({
        url: new URL(`https://${name}:${port}/`),
        address: '127.0.0.1',
        ca: TEST_CERTIFICATE,
        signal: AbortSignal.timeout(2_000),
      });

    expect(await ask('pinned.example.com')).toEqual([1]);
    expect(hosts).toEqual([`pinned.example.com:${port}`]);
    await expect(ask('other.example.com')).rejects.toMatchObject({ reason: 'unreachable' });
  });
});

async function listenOn(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
