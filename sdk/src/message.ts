import type { CallOptions, OperationId } from './contract.ts';
import { DpaUsageError } from './errors.ts';
import { BASE_PATH, OPERATIONS } from './generated/operations.ts';
import { isRepeatable } from './retry.ts';

/** Smaller bodies do not benefit from compression. */
const GZIP_FROM_LENGTH = 16_384;

/** Parameters of a call, for any operation. */
export interface AnyParams extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  /** A value that is sent as JSON; bytes that are JSON already are sent as they are. */
  body?: unknown;
}

/** A request, the same for every attempt. */
export interface Message {
  operation: OperationId;
  method: string;
  url: URL;
  headers: Headers;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  request_id: string;
  is_public: boolean;
  /** The contract declares a response type other than JSON. */
  answers_text: boolean;
  is_repeatable: boolean;
}

/** An entry of the generated table of operations. */
interface OperationInfo {
  method: string;
  path: string;
  takes_key?: true;
  is_public?: true;
  answers_text?: true;
}

/**
 * @param base_url origin of the service, plus the path prefix of a proxy, without a trailing slash
 * @throws DpaUsageError if a path parameter is missing
 */
export async function writeMessage(base_url: string, operation: OperationId, params: AnyParams): Promise<Message> {
  const { method, path, takes_key, is_public, answers_text }: OperationInfo = OPERATIONS[operation];
  const request_id = crypto.randomUUID();
  const headers = new Headers({ accept: 'application/json', 'x-request-id': request_id });
  if (takes_key) headers.set('idempotency-key', crypto.randomUUID());
  for (const [name, value] of Object.entries(params.headers ?? {})) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const body = writeBody(params.body);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const small = body === undefined || body.length < GZIP_FROM_LENGTH || typeof CompressionStream === 'undefined';
  if (!small) headers.set('content-encoding', 'gzip');
  return {
    operation,
    method,
    url: buildUrl(base_url, fillPath(path, operation, params.path ?? {}), params.query ?? {}),
    headers,
    body: small ? body : await gzip(body),
    request_id,
    is_public: is_public === true,
    answers_text: answers_text === true,
    is_repeatable: isRepeatable(method, headers.has('idempotency-key')),
  };
}

function writeBody(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  return body === undefined ? undefined : JSON.stringify(body);
}

function fillPath(path: string, operation: OperationId, values: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // An empty value would produce a different path.
    if (value === undefined || value === null || value === '')
      throw new DpaUsageError(`${operation} needs path.${name}`);
    return encodeURIComponent(String(value));
  });
}

function buildUrl(base_url: string, path: string, query: Record<string, unknown>): URL {
  const url = new URL(base_url + BASE_PATH + path);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) url.searchParams.append(name, String(one));
    }
  }
  return url;
}

async function gzip(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
