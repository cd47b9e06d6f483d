/** How much memory bodies use at once, and by which key. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { BodyReading } from '../../server/contract/domain-parts.ts';
import { NotFound } from '../../server/lib/errors.ts';
import { API, bearer, type Harness, ORG, OTHER_ORG, startHttp, testConfig, testHandlers } from './harness.ts';

const KIB = 1_024;
const HOOK = `${API}/webhooks/github/${ORG}`;
const body_memory = { total: 512 * KIB, share: 256 * KIB, wait_ms: 1_000, anonymous_ms: 2_000 };

let http: Harness;
/** Recorded calls of a body reader. */
let seen = 0;
let read = 0;
beforeAll(async () => {
  const reading: BodyReading = {
    key: 'the organization of the webhook',
    update: (chunk) => {
      seen += chunk.length;
    },
    end: async (raw) => {
      read += raw.length;
      return { body: {}, attachment: undefined };
    },
  };
  http = await startHttp({
    handlers: {
      ...testHandlers(),
      receiveGithubWebhook: async () => ({ status: 202, body: { accepted: true, delivery_id: ORG } }),
    },
    bodyReaders: {
      uploadState: async () => ({ is_file: true, end: async () => ({ body: {}, attachment: undefined }) }),
      receiveGithubWebhook: async ({ path }) => {
        if (path['config_id'] !== ORG) throw new NotFound();
        return reading;
      },
    },
    findOrg: async ({ user }, id) => ({ id, role: user.display_name === 'owner' ? 'owner' : 'member' }),
    config: testConfig({ body_memory }),
  });
});
afterAll(() => http.close());

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A request whose headers announce a body that does not arrive. */
async function announce(path: string, bytes: number, headers: Record<string, string> = {}): Promise<Socket> {
  const { port } = new URL(http.url);
  const socket = connect(Number(port), '127.0.0.1');
  open.push(socket);
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'x', 'content-type': 'application/json', 'content-length': bytes, ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{`);
  return socket;
}

/** Waits until a previous request has got its memory. */
const settle = () => http.send('GET', `${API}/orgs`, { headers: bearer('member') });
const analyze = (org: string, bytes: number) =>
  http.send('POST', `${API}/orgs/${org}/analyze`, {
    headers: bearer('member'),
    body: JSON.stringify({ plan_json: 'x'.repeat(bytes) }),
  });

test('a body beyond the memory share of its organization gets 503 after a wait; small bodies and other organizations are served', async () => {
  await announce(`${API}/orgs/${ORG}/analyze`, 200 * KIB, bearer('member'));
  await settle();

  const [late, other, small] = await Promise.all([
    analyze(ORG, 100 * KIB),
    analyze(OTHER_ORG, 100 * KIB),
    analyze(ORG, KIB),
  ]);

  expect([late.status, late.json.error_class, late.headers['retry-after']]).toEqual([503, 'unavailable', '5']);
  expect(late.json.error).toContain('too many large request bodies');
  expect([other.status, small.status]).toEqual([202, 202]);
});

test('a waiting body is read as soon as memory is free', async () => {
  const slow = await announce(`${API}/orgs/${ORG}/analyze`, 200 * KIB, bearer('member'));
  await settle();

  const waiting = analyze(ORG, 100 * KIB);
  slow.destroy();

  expect((await waiting).status).toBe(202);
});

test('a client that disconnects while its body waits releases its place', async () => {
  const [first, second] = [
    await announce(`${API}/orgs/${ORG}/analyze`, 200 * KIB, bearer('member')),
    await announce(`${API}/orgs/${ORG}/analyze`, 200 * KIB, bearer('member')),
  ];
  await settle();
  second.destroy();
  await settle();
  first.destroy();

  expect((await analyze(ORG, 200 * KIB)).status).toBe(202);
});

test('bodies of unauthenticated callers do not use the memory of authenticated ones', async () => {
  for (let i = 0; i < 3; i += 1) await announce(HOOK, 500 * KIB);
  await settle();

  expect((await analyze(ORG, 200 * KIB)).status).toBe(202);
});

test('files do not use the memory of other bodies, and wait for each other', async () => {
  const upload = (org: string) => `${API}/orgs/${org}/state-sources/${ORG}/upload`;
  for (const org of [ORG, OTHER_ORG]) await announce(upload(org), 64 * 1_024 * KIB, bearer('member'));
  await settle();

  const late = await http.send('POST', upload(ORG), { body: '{}', headers: bearer('member') });

  expect((await analyze(ORG, 200 * KIB)).status).toBe(202);
  expect([late.status, late.json.error_class]).toEqual([503, 'unavailable']);
});

test('the body for an unknown webhook is not read', async () => {
  const before = seen;
  const answer = await http.raw(
    `POST ${API}/webhooks/github/${OTHER_ORG} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
      `content-length: 100000\r\nexpect: 100-continue\r\n\r\n`,
  );

  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(seen).toBe(before);
});

test('a body reader sees each chunk of a body before the whole body', async () => {
  [seen, read] = [0, 0];
  const body = JSON.stringify({ text: 'x'.repeat(100 * KIB) });

  expect((await http.send('POST', HOOK, { body })).status).toBe(202);
  expect([seen, read]).toEqual([body.length, body.length]);
});

test('a body that decompresses to an implausible size gets 413 before it is fully decompressed', async () => {
  [seen, read] = [0, 0];
  const bomb = gzipSync(Buffer.alloc(24 * 1_048_576));

  const answer = await http.send('POST', HOOK, { body: bomb, headers: { 'content-encoding': 'gzip' } });

  expect([answer.status, answer.json.error_class]).toEqual([413, 'payload_too_large']);
  expect(answer.json.error).toContain('decompresses to more than 100 times its size');
  expect(seen).toBeLessThan(9 * 1_048_576);
});

test('empty compressed blocks get 413 at the limit', async () => {
  const nothing = gzipSync('');
  const body = Buffer.concat(Array.from({ length: 300_000 }, () => nothing));

  const answer = await http.send('POST', `${API}/orgs/${ORG}/analyze`, {
    body,
    chunked: true,
    headers: { ...bearer('member'), 'content-encoding': 'gzip' },
  });

  expect(answer.status).toBe(413);
});

test('an unauthenticated client that sends too slowly is rejected and its memory is released', async () => {
  const slow = await announce(HOOK, 500 * KIB);
  const [answer] = await once(slow, 'data');

  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 [\s\S]*took longer than/);
  expect((await http.send('POST', HOOK, { body: '{}' })).status).toBe(202);
});
