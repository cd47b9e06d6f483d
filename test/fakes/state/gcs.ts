import { type RestCall, type RestReply, type RestServer, startRestServer } from '../cloud/rest-server.ts';

/** Text in every error, which must not reach a person. */
export const BACKEND_TEXT = 'text-of-the-backend';

export interface FakeGcs extends RestServer {
  /** Names and contents by bucket. */
  buckets: Map<string, Map<string, string>>;
  /** Tokens that the service accepts. */
  tokens: Set<string>;
  /** Buckets that the credential cannot read. */
  denied: Set<string>;
  page_size: number;
}

/**
 * The part of the Cloud Storage JSON API that reads objects: names in byte order, opaque page tokens, and errors in both
 * of its formats: JSON for listings, plain text for media.
 *
 * @see https://cloud.google.com/storage/docs/json_api/v1/status-codes; googleapis/google-cloud-go storage tests
 */
export async function startFakeGcs(): Promise<FakeGcs> {
  const server = await startRestServer((call) => {
    const { pathname, bucket, object } = parsePath(call.path);
    if (pathname === undefined || bucket === undefined) return undefined;
    if (object !== undefined)
      return { name: 'objects.get', answer: (one) => authorize(one, bucket, () => get(bucket, object)) };
    return { name: 'objects.list', answer: (one) => authorize(one, bucket, () => list(bucket, one)) };
  });
  const fake: FakeGcs = Object.assign(server, {
    buckets: new Map(),
    tokens: new Set<string>(),
    denied: new Set<string>(),
    page_size: 1_000,
  });

  function authorize({ headers, query }: RestCall, bucket: string, answer: () => RestReply): RestReply {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
    const is_media = query.get('alt') === 'media';
    if (!fake.tokens.has(token)) return fail(401, 'authError', 'Invalid Credentials', is_media);
    if (!fake.denied.has(bucket)) return answer();
    const permission = is_media ? 'storage.objects.get' : 'storage.objects.list';
    return fail(403, 'forbidden', `dpa@p.iam.gserviceaccount.com does not have ${permission} access.`, is_media);
  }

  function get(bucket: string, object: string): RestReply {
    const objects = fake.buckets.get(bucket);
    if (objects === undefined) return fail(404, 'notFound', 'The specified bucket does not exist.', true);
    const text = objects.get(object);
    if (text === undefined) return fail(404, 'notFound', `No such object: ${bucket}/${object}`, true);
    return { status: 200, text, headers: { 'x-goog-generation': '1700000000000001', 'content-length': size(text) } };
  }

  function list(bucket: string, { query }: RestCall): RestReply {
    const objects = fake.buckets.get(bucket);
    if (objects === undefined) return fail(404, 'notFound', 'The specified bucket does not exist.', false);
    const after = Buffer.from(query.get('pageToken') ?? '', 'base64').toString();
    const names = [...objects.keys()]
      .filter((name) => name.startsWith(query.get('prefix') ?? '') && compareBytes(name, after) > 0)
      .sort(compareBytes);
    const page = names.slice(0, fake.page_size);
    const is_last = page.length === names.length;
    const nextPageToken = Buffer.from(page.at(-1) ?? '').toString('base64');
    const items = page.length === 0 ? {} : { items: page.map((name) => ({ name })) };
    return { status: 200, body: { kind: 'storage#objects', ...items, ...(is_last ? {} : { nextPageToken }) } };
  }

  return fake;
}

function parsePath(path: string) {
  const [, pathname, bucket, object] = /^(\/storage\/v1\/b)\/([^/]+)\/o(?:\/([^/]+))?$/.exec(path) ?? [];
  return { pathname, bucket, object: object === undefined ? undefined : decodeURIComponent(object) };
}

function fail(code: number, reason: string, message: string, is_media: boolean): RestReply {
  const text = `${message} ${BACKEND_TEXT}`;
  if (is_media) return { status: code, text, headers: { 'content-type': 'text/html; charset=UTF-8' } };
  return {
    status: code,
    body: { error: { code, message: text, errors: [{ message: text, domain: 'global', reason }] } },
  };
}

function size(text: string): string {
  return String(Buffer.byteLength(text));
}

export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
