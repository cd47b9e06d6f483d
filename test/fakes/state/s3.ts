import { type RestReply, type RestServer, startRestServer } from '../cloud/rest-server.ts';
import { BACKEND_TEXT, compareBytes } from './gcs.ts';

export interface FakeS3 extends RestServer {
  buckets: Map<string, Map<string, string>>;
  page_size: number;
}

/**
 * The part of S3 that reads objects, addressed by path: names in byte order, opaque continuation tokens, XML errors.
 *
 * @see Amazon S3 API Reference: GetObject, ListObjectsV2, Error responses; aws/aws-sdk-js-v3, client-s3 tests
 */
export async function startFakeS3(): Promise<FakeS3> {
  const server = await startRestServer(({ path, query }) => {
    const [bucket = '', ...key] = decodeURIComponent(path.slice(1)).split('/');
    if (query.get('list-type') === '2') return { name: 'ListObjectsV2', answer: () => list(bucket, query) };
    return { name: 'GetObject', answer: () => get(bucket, key.join('/')) };
  });
  const fake: FakeS3 = Object.assign(server, { buckets: new Map(), page_size: 1_000 });

  function get(bucket: string, key: string): RestReply {
    const objects = fake.buckets.get(bucket);
    if (objects === undefined) return s3Error(404, 'NoSuchBucket');
    const text = objects.get(key);
    if (text === undefined) return s3Error(404, 'NoSuchKey');
    const headers = { etag: '"9b2cf535f27731c974343645a3985328"', 'content-length': String(Buffer.byteLength(text)) };
    return { status: 200, text, headers: { ...headers, 'content-type': 'binary/octet-stream' } };
  }

  function list(bucket: string, query: URLSearchParams): RestReply {
    const objects = fake.buckets.get(bucket);
    if (objects === undefined) return s3Error(404, 'NoSuchBucket');
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && compareBytes(key, after) > 0)
      .sort(compareBytes);
    const page = keys.slice(0, fake.page_size);
    const is_last = page.length === keys.length;
    const token = Buffer.from(page.at(-1) ?? '').toString('base64');
    const contents = page.map((key) => `<Contents><Key>${encodeKey(key)}</Key><Size>1</Size></Contents>`).join('');
    const next = is_last ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`;
    return xml(
      200,
      `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${!is_last}</IsTruncated>${contents}${next}</ListBucketResult>`,
    );
  }

  return fake;
}

/** An error as S3 writes it. */
export function s3Error(
  status: number,
  code: string,
  details: { headers?: Record<string, string>; more?: string } = {},
) {
  const body = `<Error><Code>${code}</Code><Message>${BACKEND_TEXT}</Message>${details.more ?? ''}<RequestId>4442587FB7D0A2F9</RequestId></Error>`;
  return xml(status, body, details.headers);
}

function xml(status: number, body: string, headers: Record<string, string> = {}): RestReply {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
  return { status, text, headers: { 'content-type': 'application/xml', ...headers } };
}

/** Like a form, but with slashes. */
function encodeKey(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
}
