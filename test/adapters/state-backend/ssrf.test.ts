import { once } from 'node:events';
import { connect, type NetConnectOpts, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { isPublicAddress } from '../../../server/adapters/egress/addresses.ts';
import { createEgress, createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import { createLocationCheck } from '../../../server/adapters/state-backend/index.ts';
import type { StateFolder, StateLocation } from '../../../server/adapters/state-backend/types.ts';
import { type RestServer, startRestServer } from '../../fakes/cloud/rest-server.ts';
import { REFUSED } from '../egress/corpus.ts';
import { ACCESS, createTestBackend, readAll, STATE, TOKEN } from './setup.ts';

/** Forbidden URLs, and the hosts in them. */
const URLS = [...new Set(REFUSED)];
const HOSTS = [...new Set(URLS.map((url) => url.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/s, '')))];
/** HTTP cannot send the others in a header. */
const HEADER_URLS = URLS.filter((url) => /^[\x20-\x7e]+$/.test(url));
/** In the block for public addresses, but in a part that was never assigned. */
const NOBODYS = '2d00::1';

/** Where sockets were connected to: `address:port`. */
let dialed: string[] = [];
let server: RestServer;
beforeAll(async () => {
  server = await startRestServer(({ path }) => ({
    name: path,
    answer: () => answer(path),
  }));
});
afterAll(() => server.close());
beforeEach(() => {
  dialed = [];
  const original = Socket.prototype.connect;
  jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const target = readTarget(args);
    dialed.push(target);
    if (!isPublicAddress(target.replace(/:\d+$/, ''))) return Reflect.apply(original, this, args);
    // Nobody answers there, and waiting for that proves nothing.
    setImmediate(() => this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
    return this;
  } as typeof original);
});
afterEach(() => void jest.restoreAllMocks());

function readTarget(args: readonly unknown[]): string {
  const [first, second] = args.flat();
  if (typeof first !== 'object') return `${String(second)}:${String(first)}`;
  const { host = 'localhost', port } = first as NetConnectOpts & { host?: string; port?: number };
  return `${host}:${port}`;
}

/** A server of an attacker: its documents name forbidden downloads, and its downloads redirect to forbidden URLs. */
function answer(path: string) {
  const [, kind, index = ''] = /^\/api\/v2\/workspaces\/ws-(download|redirect|chain)(\d+)\//.exec(path) ?? [];
  const url = kind === 'download' ? URLS[Number(index)] : `${server.url}/${kind}/${index}`;
  if (kind !== undefined) return { status: 200, body: { data: { attributes: { 'hosted-state-download-url': url } } } };
  const [, how, target = ''] = /^\/(redirect|chain|again)\/(\d+)$/.exec(path) ?? [];
  const location = how === 'chain' ? `/again/${target}` : (HEADER_URLS[Number(target)] ?? '');
  return { status: 307, text: '', headers: { location } };
}

const backend = (resolve = async () => ['127.0.0.1']) => {
  const own = new URL(server.url).host;
  return createTestBackend([], { fetch: createGuardedFetch({ allowed_hosts: [own], resolve }) });
};
const locate = (workspace: string, endpoint = server.url): StateLocation => ({
  kind: 'tfc',
  endpoint,
  workspace,
  token: TOKEN,
});

/** Connections that were made to anything but the server of this test and public addresses. */
function findForbidden(): string[] {
  const { port } = new URL(server.url);
  return dialed.filter((target) => target !== `127.0.0.1:${port}` && !isPublicAddress(target.replace(/:\d+$/, '')));
}

async function tryAll(locations: readonly StateLocation[], resolve?: () => Promise<string[]>) {
  const reader = backend(resolve);
  const ends = await Promise.allSettled(locations.map((location) => readAll(reader, location, ACCESS)));
  return ends.map((end) => (end.status === 'rejected' ? String(end.reason.reason ?? end.reason) : 'read'));
}

test('the recorder notices connections, and the corpus is large enough', async () => {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();

  expect(dialed).toEqual([`127.0.0.1:${port}`]);
  expect([URLS.length, HOSTS.length, HEADER_URLS.length].every((count) => count > 300)).toBe(true);
});

describe('a forbidden address is never dialed', () => {
  test('as the endpoint of HCP Terraform', async () => {
    const reasons = await tryAll(URLS.map((url) => locate('ws-1', url)));

    expect(dialed).toEqual([]);
    expect(new Set(reasons)).toEqual(new Set(['not_allowed']));
  });

  test('as the address of a download', async () => {
    const reasons = await tryAll(URLS.map((_url, index) => locate(`ws-download${index}`)));

    expect(findForbidden()).toEqual([]);
    // An empty address is that of a state that has not been uploaded.
    expect(new Set(reasons)).toEqual(new Set(['not_allowed', 'unusable']));
    expect(reasons.filter((reason) => reason === 'unusable')).toHaveLength(1);
  });

  test.each(['redirect', 'chain'])('as the target of a %s', async (kind) => {
    const reasons = await tryAll(HEADER_URLS.map((_url, index) => locate(`ws-${kind}${index}`)));

    expect(findForbidden()).toEqual([]);
    expect(reasons).not.toContain('read');
  });

  test('as a name in a bucket', async () => {
    const locations = HOSTS.flatMap((host): StateLocation[] => [
      { kind: 's3', bucket: host, key: 'a', region: 'eu-west-1' },
      { kind: 's3', bucket: 'states', key: 'a', region: host },
      { kind: 's3', bucket: 'states', key: host, region: 'eu-west-1' },
      { kind: 'gcs', bucket: host, object: 'a' },
      { kind: 'gcs', bucket: 'states', object: host },
      { kind: 'azure_blob', account: host, container: 'states', blob: 'a' },
      { kind: 'azure_blob', account: 'acme', container: host, blob: 'a' },
      { kind: 'azure_blob', account: 'acme', container: 'states', blob: host },
    ]);

    const reasons = await tryAll(locations);

    expect(dialed).toEqual([]);
    expect(new Set(reasons)).toEqual(new Set(['not_allowed']));
  });

  test('as a name in the preview of a glob', async () => {
    const folders = HOSTS.flatMap((host): StateFolder[] => [
      { provider: 'aws', bucket: host, prefix: '', region: 'eu-west-1' },
      { provider: 'aws', bucket: 'states', prefix: '', region: host },
      { provider: 'aws', bucket: 'states', prefix: host, region: 'eu-west-1' },
      { provider: 'gcp', bucket: host, prefix: '' },
      { provider: 'gcp', bucket: 'states', prefix: host },
      { provider: 'azure', storage_account: host, bucket: 'states', prefix: '' },
      { provider: 'azure', storage_account: 'acme', bucket: host, prefix: '' },
      { provider: 'azure', storage_account: 'acme', bucket: 'states', prefix: host },
    ]);
    const reader = backend();
    const request = { max: 500, signal: AbortSignal.timeout(60_000) };

    const ends = await Promise.allSettled(folders.map((folder) => reader.list(folder, ACCESS, request)));

    expect(dialed).toEqual([]);
    expect(new Set(ends.map((end) => end.status === 'rejected' && end.reason.reason))).toEqual(
      new Set(['not_allowed']),
    );
  });

  test('behind a name that resolves to a public address first and to a private one later', async () => {
    let lookups = 0;
    const resolve = async () => [lookups++ % 2 === 0 ? NOBODYS : '127.0.0.1'];
    const locations = Array.from({ length: 100 }, () => locate('ws-1', 'https://rebinding.example.com'));

    const reasons = await tryAll(locations, resolve);

    expect(findForbidden()).toEqual([]);
    expect(lookups).toBe(100);
    expect(reasons.filter((reason) => reason === 'not_allowed')).toHaveLength(50);
  });

  test.each([
    ['1.1.1.1', '127.0.0.1'],
    ['::ffff:169.254.169.254'],
    ['64:ff9b::a9fe:a9fe'],
    ['2002:7f00:1::1'],
    ['fd00:ec2::254'],
  ])('behind the hosts of the clouds if they resolve to %p', async (...addresses) => {
    const locations: StateLocation[] = [
      { kind: 's3', bucket: 'states', key: 'a', region: 'eu-west-1' },
      { kind: 'gcs', bucket: 'states', object: 'a' },
      { kind: 'azure_blob', account: 'acme', container: 'states', blob: 'a' },
      { kind: 'tfc', workspace: 'ws-1', token: TOKEN },
    ];

    expect(await tryAll(locations, async () => addresses)).toEqual(locations.map(() => 'not_allowed'));
    expect(dialed).toEqual([]);
  });
});

test('no forbidden endpoint can be saved', () => {
  const assertAllowed = createLocationCheck(createEgress());
  const saved = URLS.filter((endpoint) => {
    try {
      assertAllowed(locate('ws-1', endpoint));
      return true;
    } catch {
      return false;
    }
  });

  expect(saved).toEqual([]);
});

test('a state on an allowed server at a private address is read', async () => {
  const origin = await startRestServer(({ path }) => ({
    name: path,
    answer: () => ({
      status: 200,
      body: { data: { attributes: { 'hosted-state-download-url': `${origin.url}/state` } } },
    }),
  }));
  origin.troubles.push({ operation: '/state', how: { status: 200, text: STATE } });

  expect((await readAll(createTestBackend([origin]), locate('ws-1', origin.url), null)).text).toBe(STATE);
  await origin.close();
});
