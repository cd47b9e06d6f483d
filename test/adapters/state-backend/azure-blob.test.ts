import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fetchPinned } from '../../../server/adapters/egress/fetch-pinned.ts';
import type { GuardedFetch } from '../../../server/adapters/egress/index.ts';
import { parseBlobPage } from '../../../server/adapters/state-backend/azure-listing.ts';
import { HTML_PAGE } from '../../fakes/cloud/rest-server.ts';
import { type Azurite, createEntraToken, startAzurite } from '../../fakes/state/azurite.ts';
import { BACKEND_TEXT } from '../../fakes/state/gcs.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../egress/certificate.ts';
import { ACCESS, createTestBackend, findFailure, issueToken, readAll, STATE } from './setup.ts';

/** Like the guarded fetch, but trusts the certificate of the tests, which is for pinned.example.com. */
const fetchFromTestServer: GuardedFetch = (url, request) =>
  fetchPinned({ ...request, url: new URL(url), address: '127.0.0.1', ca: TEST_CERTIFICATE });

const LOCATION = { kind: 'azure_blob', account: 'pinned', container: 'states', blob: 'prod/a b+ü.tfstate' } as const;
const FOLDER = { provider: 'azure', storage_account: 'pinned', bucket: 'states', prefix: 'prod/' } as const;
const request = (max = 500) => ({ max, signal: AbortSignal.timeout(10_000) });
const openAt = (port: number, token?: string) =>
  createTestBackend([], {
    fetch: fetchFromTestServer,
    azure_suffix: `example.com:${port}`,
    openAzureToken: async () => issueToken(token),
  });

describe('Azurite', () => {
  const KEYS = [
    'prod/a b+ü.tfstate',
    'prod/b.tfstate',
    'prod/b.tfstate.backup',
    'prod/\u{1f600}.tfstate',
    'dev/c.tfstate',
  ];
  let azurite: Azurite;
  beforeAll(async () => {
    azurite = await startAzurite({ account: 'pinned', tls: { key: TEST_KEY, cert: TEST_CERTIFICATE } });
    await upload(azurite, KEYS);
  }, 30_000);
  afterAll(() => azurite.close());

  const later = new Date(Date.now() + 3_600_000);
  const open = (token = createEntraToken({ expires_at: later })) => openAt(azurite.port, token);

  test('a blob is read unchanged, with its ETag', async () => {
    const { text, etag } = await readAll(open(), LOCATION);

    expect(text).toBe(STATE);
    expect(etag).toMatch(/^"0x/);
  });

  test('keys of states below the prefix are listed in byte order', async () => {
    expect(await open().list(FOLDER, ACCESS, request())).toEqual([
      'prod/a b+ü.tfstate',
      'prod/b.tfstate',
      'prod/\u{1f600}.tfstate',
    ]);
    expect(await open().list({ ...FOLDER, prefix: '' }, ACCESS, request(1))).toHaveLength(2);
  });

  test('a missing blob and a missing container have different reasons', async () => {
    expect((await findFailure(readAll(open(), { ...LOCATION, blob: 'gone' })))[0]).toBe('not_found');
    expect(await findFailure(readAll(open(), { ...LOCATION, container: 'gone' }))).toEqual([
      'no_such_bucket',
      'There is no container "gone". Correct its name.',
    ]);
    expect((await findFailure(open().list({ ...FOLDER, bucket: 'gone' }, ACCESS, request())))[0]).toBe(
      'no_such_bucket',
    );
  });

  test('an expired token and a token for something else are rejected', async () => {
    const expired = createEntraToken({ expires_at: new Date(Date.now() - 60_000) });
    const other = createEntraToken({ expires_at: later, audience: 'https://graph.microsoft.com' });

    expect((await findFailure(readAll(open(expired), LOCATION)))[0]).toBe('credential_rejected');
    expect((await findFailure(readAll(open(other), LOCATION)))[0]).toBe('credential_rejected');
  });
});

describe('responses of Azure', () => {
  let reply: { status: number; text: string; headers?: Record<string, string> };
  const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_request, response) => {
    response.writeHead(reply.status, { 'content-type': 'application/xml', ...reply.headers }).end(reply.text);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const open = () => openAt((server.address() as AddressInfo).port);
  const failure = (status: number, code: string) => ({
    status,
    text: BACKEND_TEXT,
    headers: { 'x-ms-error-code': code },
  });

  test.each([
    ['a missing role', failure(403, 'AuthorizationPermissionMismatch'), 'access_denied'],
    ['a firewall', failure(403, 'AuthorizationFailure'), 'access_denied'],
    ['a token of another tenant', failure(401, 'InvalidAuthenticationInfo'), 'credential_rejected'],
    ['a container that is being deleted', failure(409, 'ContainerBeingDeleted'), 'no_such_bucket'],
    ['an archived blob', failure(409, 'BlobArchived'), 'unusable'],
    ['a busy server', failure(503, 'ServerBusy'), 'throttled'],
    ['a server error', failure(500, 'InternalError'), 'unreachable'],
    ['a bad request', failure(400, 'InvalidUri'), 'unusable'],
    ['a web page', HTML_PAGE as typeof reply, 'unusable'],
    ['a state of 1 GB', { status: 200, text: '', headers: { 'content-length': '1073741824' } }, 'too_large'],
  ] as const)('%s is an error that says so', async (_title, response, reason) => {
    reply = response;

    expect((await findFailure(readAll(open(), LOCATION)))[0]).toBe(reason);
  });

  test('all pages are read, because accounts with folders do not list in byte order', async () => {
    const page = (name: string, marker: string) =>
      `\ufeff<?xml version="1.0"?><EnumerationResults><Blobs><Blob><Name>${name}</Name></Blob></Blobs><NextMarker>${marker}</NextMarker></EnumerationResults>`;
    const backend = createTestBackend([], {
      fetch: async (url) => {
        const marker = new URL(url).searchParams.get('marker');
        return new Response(marker === null ? page('prod/a/x.tfstate', 'next page') : page('prod/a-b.tfstate', ''));
      },
    });

    expect(await backend.list(FOLDER, ACCESS, request(0))).toEqual(['prod/a-b.tfstate']);
  });

  test('a web page is not a listing', async () => {
    reply = HTML_PAGE as typeof reply;

    expect((await findFailure(open().list(FOLDER, ACCESS, request())))[0]).toBe('unusable');
  });
});

test('the host is named after the storage account', async () => {
  const asked: string[] = [];
  const fetch: GuardedFetch = async (url) => {
    asked.push(url);
    return new Response(STATE);
  };

  await readAll(createTestBackend([], { fetch }), LOCATION);

  expect(asked).toEqual(['https://pinned.blob.core.windows.net/states/prod/a%20b%2B%C3%BC.tfstate']);
});

describe('pages of a listing', () => {
  const parse = (blobs: string) => parseBlobPage(`<EnumerationResults>${blobs}</EnumerationResults>`);

  test.each([
    ['<Blobs />', []],
    ['<Blobs></Blobs>', []],
    ['<Blobs><Blob><Name>a &amp; b</Name></Blob></Blobs>', ['a & b']],
    ['<Blobs><Blob><Name> 007 </Name></Blob></Blobs>', [' 007 ']],
    [
      '<Blobs><Blob><Name Encoded="true">a%01b</Name></Blob><Blob><Name>a&#38;b</Name></Blob></Blobs>',
      ['a\u0001b', 'a&b'],
    ],
    [
      '<Blobs><Blob><Name>prod</Name><Properties><ResourceType>directory</ResourceType></Properties></Blob></Blobs>',
      [],
    ],
  ])('%s has the names %j', async (blobs, names) => {
    expect((await parse(blobs))?.names).toEqual(names);
  });

  test('a page without blobs, or with a name that cannot be read, is not a page', async () => {
    expect(await parse('')).toBeUndefined();
    expect(await parse('<Blobs><Blob><Name Encoded="true">a%FFb</Name></Blob></Blobs>')).toBeUndefined();
  });

  test.each(['', 'text', '<html></html>', '<EnumerationResults', '{}'])('%j is not a page', async (text) => {
    expect(await parseBlobPage(text)).toBeUndefined();
  });
});

async function upload({ port }: Azurite, names: readonly string[]): Promise<void> {
  const put = (path: string, headers: Record<string, string>, body: string) => putThere(port, path, headers, body);
  await put('states?restype=container', {}, '');
  const type = { 'x-ms-blob-type': 'BlockBlob' };
  await Promise.all(
    names.map((name) => put(`states/${name.split('/').map(encodeURIComponent).join('/')}`, type, STATE)),
  );
}

async function putThere(port: number, path: string, headers: Record<string, string>, body: string): Promise<void> {
  const authorization = `Bearer ${createEntraToken({ expires_at: new Date(Date.now() + 3_600_000) })}`;
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const { status } = await fetchFromTestServer(`https://pinned.example.com:${port}/${path}`, {
    method: 'PUT',
    headers: { 'x-ms-version': '2023-11-03', authorization, ...length, ...headers },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  expect(status).toBe(201);
}
