import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StoredObject {
  text: string;
  mode: string | undefined;
  until: string | undefined;
}

export interface FakeLockedBucket {
  url: string;
  name: string;
  objects: Map<string, StoredObject>;
  /** Number of objects that were written. */
  writes: number;
  has_lock: boolean;
  /** Keys that may use the bucket; others are denied. */
  access_key_ids: Set<string>;
  /** The next writes fail. `drop-after`: they are done, and the connection is closed. */
  failures: (number | 'drop-after')[];
  close(): Promise<void>;
}

/**
 * One bucket of an S3-compatible store, addressed by path: conditional writes, Object Lock, XML errors.
 *
 * @see Amazon S3 API Reference: PutObject, GetObject, GetObjectLockConfiguration
 */
export async function startLockedBucket(): Promise<FakeLockedBucket> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeLockedBucket = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    name: 'audit-evidence',
    objects: new Map(),
    writes: 0,
    has_lock: true,
    access_key_ids: new Set(['AKIAIOSFODNN7EXAMPLE']),
    failures: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '/', fake.url);
    const [bucket, ...parts] = decodeURIComponent(pathname.slice(1)).split('/');
    const access_key_id = /Credential=([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!fake.access_key_ids.has(access_key_id)) return fail(response, 403, 'AccessDenied');
    if (bucket !== fake.name) return fail(response, 404, 'NoSuchBucket');
    if (searchParams.has('object-lock')) return showLock(response);
    const key = parts.join('/');
    if (request.method === 'PUT') return put(request, response, { key, text: Buffer.concat(chunks).toString() });
    const object = fake.objects.get(key);
    if (object === undefined) return fail(response, 404, 'NoSuchKey');
    return response.writeHead(200, { 'content-type': 'text/plain' }).end(object.text);
  }

  function showLock(response: ServerResponse): ServerResponse {
    if (!fake.has_lock) return fail(response, 404, 'ObjectLockConfigurationNotFoundError');
    const body = '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>';
    return response.writeHead(200, { 'content-type': 'application/xml' }).end(body);
  }

  function put(
    { headers }: IncomingMessage,
    response: ServerResponse,
    { key, text }: { key: string; text: string },
  ): ServerResponse {
    const failure = fake.failures.shift();
    if (typeof failure === 'number') return fail(response, failure, 'InternalError');
    if (headers['if-none-match'] === '*' && fake.objects.has(key)) return fail(response, 412, 'PreconditionFailed');
    const [mode, until] = [headers['x-amz-object-lock-mode'], headers['x-amz-object-lock-retain-until-date']].map(
      String,
    );
    if (!fake.has_lock && mode !== 'undefined') return fail(response, 400, 'InvalidRequest');
    fake.objects.set(key, { text, mode, until });
    fake.writes += 1;
    if (failure === 'drop-after') return response.destroy();
    return response.writeHead(200, { etag: '"0"' }).end();
  }

  return fake;
}

function fail(response: ServerResponse, status: number, code: string): ServerResponse {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>the store says so</Message></Error>`;
  return response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}
