import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEmulator, type Emulator } from 'emulate';
import { type BlobStore, createBlobStore } from '../../../server/adapters/blob/index.ts';
import { findFreePort } from '../../fakes/ports.ts';

describe.each(['folder', 's3'] as const)('blobs in %s', (kind) => {
  let store: BlobStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ store, close } = kind === 'folder' ? await openFolder() : await openS3());
  });
  afterAll(() => close());

  test('bytes are read back unchanged, including empty and binary ones', async () => {
    const binary = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));

    await store.put('a/binary', binary);
    await store.put('a/empty', new Uint8Array());

    expect(await store.get('a/binary')).toEqual(binary);
    expect(await store.get('a/empty')).toEqual(Buffer.alloc(0));
  });

  test('a second put replaces the first', async () => {
    await store.put('b/one', Buffer.from('long first text'));
    await store.put('b/one', Buffer.from('second'));

    expect(await store.get('b/one')).toEqual(Buffer.from('second'));
  });

  test('a missing blob is undefined, and deleting it is not an error', async () => {
    await store.put('c/gone', Buffer.from('x'));
    await store.delete('c/gone');
    await store.delete('c/gone');

    expect(await store.get('c/gone')).toBeUndefined();
    expect(await store.get('c/never/was')).toBeUndefined();
  });

  test('a list contains the keys below the prefix with their modification times', async () => {
    const before = Date.now() - 2_000;
    await store.put('d/1/x', Buffer.from('x'));
    await store.put('d/2', Buffer.from('y'));
    await store.put('dd/3', Buffer.from('z'));

    const found = await collect(store.list('d/'));

    expect(found.map(({ key }) => key).sort()).toEqual(['d/1/x', 'd/2']);
    expect(found.every(({ modified_at }) => modified_at.getTime() > before)).toBe(true);
    expect(await collect(store.list('nothing/'))).toEqual([]);
  });

  test.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', '.hidden', 'a/.b', 'a b', 'a\\b', 'a\0', 'ü', 'x'.repeat(513)])(
    '%j is not a valid key',
    async (key) => {
      await expect(store.put(key, Buffer.from('x'))).rejects.toThrow('is not a valid blob key');
      await expect(store.get(key)).rejects.toThrow('is not a valid blob key');
      await expect(store.delete(key)).rejects.toThrow('is not a valid blob key');
    },
  );

  test('a usable store passes its check', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });
});

test('files are readable only by their owner, and no draft remains', async () => {
  const root = await mkdtemp(join(tmpdir(), 'dpa-blobs-'));
  const store = createBlobStore({ kind: 'folder', root: join(root, 'blobs') });

  await Promise.all(Array.from({ length: 20 }, (_, n) => store.put('plans/same', Buffer.from(`text ${n}`))));

  expect((await stat(join(root, 'blobs/plans/same'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(root, 'blobs/plans'))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(root, 'blobs/.drafts'))).toEqual([]);
  expect(String(await store.get('plans/same'))).toMatch(/^text \d+$/);
  await rm(root, { recursive: true });
});

test('a missing bucket fails its check', async () => {
  const { close, url } = await startS3();
  const store = createBlobStore({ kind: 's3', ...settings(url), bucket: 'other' });

  await expect(store.check()).rejects.toThrow();
  await close();
});

async function openFolder() {
  const root = await mkdtemp(join(tmpdir(), 'dpa-blobs-'));
  const store = createBlobStore({ kind: 'folder', root });
  return { store, close: () => rm(root, { recursive: true }) };
}

async function openS3() {
  const { url, close } = await startS3();
  return { store: createBlobStore({ kind: 's3', ...settings(url) }), close };
}

async function startS3() {
  const seed = { aws: { s3: { buckets: [{ name: 'dpa' }] } } };
  const emulator: Emulator = await createEmulator({ service: 'aws', port: await findFreePort(), seed });
  return { url: emulator.url, close: () => emulator.close() };
}

function settings(endpoint: string) {
  const credentials = { access_key_id: 'test', secret_access_key: 'test' };
  return { bucket: 'dpa', region: 'us-east-1', endpoint, credentials };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test('a locked object is put with S3 Object Lock', async () => {
  const requests: { headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ headers }, response) => {
    requests.push({ headers });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const store = createBlobStore({
    kind: 's3',
    ...settings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  });

  await store.put('audit-checkpoints/a/1.txt', Buffer.from('x'), { locked_until: new Date('2027-03-01T00:00:00Z') });
  await store.put('plans/a', Buffer.from('x'));
  server.closeAllConnections();
  server.close();

  expect(
    requests.map(({ headers }) => [
      headers['x-amz-object-lock-mode'],
      headers['x-amz-object-lock-retain-until-date'],
      // S3 accepts a locked object only with a checksum.
      headers['x-amz-checksum-crc32'] !== undefined,
    ]),
  ).toEqual([
    ['COMPLIANCE', '2027-03-01T00:00:00Z', true],
    [undefined, undefined, true],
  ]);
});

describe('a failing store throws StorageUnavailable', () => {
  const fault = (code: string) => ({ status: 503, error_class: 'storage_unavailable', code });

  async function expectFaults(store: BlobStore, code: string): Promise<void> {
    await expect(store.put('plans/a', Buffer.from('x'))).rejects.toMatchObject(fault(code));
    await expect(store.get('plans/a')).rejects.toMatchObject(fault(code));
    await expect(store.delete('plans/a')).rejects.toMatchObject(fault(code));
    await expect(collect(store.list('plans/'))).rejects.toMatchObject({ error_class: 'storage_unavailable' });
    await expect(store.check()).rejects.toMatchObject(fault(code));
  }

  test('if a file is in the place of the folder', async () => {
    const root = join(await mkdtemp(join(tmpdir(), 'dpa-blobs-')), 'file');
    await writeFile(root, '');

    await expectFaults(createBlobStore({ kind: 'folder', root }), 'ENOTDIR');
    await rm(root);
  });

  test.each([
    [507, 'XMinioStorageFull'],
    [400, 'XMinioAdminBucketQuotaExceeded'],
    [403, 'QuotaExceeded'],
    [404, 'NoSuchBucket'],
    [503, 'SlowDown'],
  ])('if a bucket responds with %i %s', async (status, code) => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const credentials = { access_key_id: 'a', secret_access_key: 'b' };
    const store = createBlobStore({ kind: 's3', bucket: 'b', region: 'us-east-1', endpoint, credentials });

    await expect(store.put('plans/a', Buffer.from('x'))).rejects.toMatchObject(fault(code));
    await expect(store.check()).rejects.toMatchObject(fault(code));
    server.closeAllConnections();
    server.close();
  });

  test('if the bucket does not respond', async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}`;
    const credentials = { access_key_id: 'a', secret_access_key: 'b' };
    const store = createBlobStore({ kind: 's3', bucket: 'b', region: 'us-east-1', endpoint, credentials });

    await expect(store.put('plans/a', Buffer.from('x'))).rejects.toMatchObject({
      status: 503,
      error_class: 'storage_unavailable',
    });
  });
});
