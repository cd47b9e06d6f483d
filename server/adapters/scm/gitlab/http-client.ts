import { dropTrailing } from '../../../../engine/index.ts';
import type { Logger } from '../../../log.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import type { Pace, RequestKind } from '../pace.ts';
import { PlatformError } from '../types.ts';
import { toPlatformError, toUnreachableError } from './failures.ts';

const TIMEOUT_MS = 30_000;
/** Size limit of a response; a page of a hundred long comments is much smaller. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;
/** A POST can have succeeded even if there was no response. */
const REQUEST_KINDS: Record<ApiRequest['method'], RequestKind> = { GET: 'read', PUT: 'write', POST: 'create' };

export interface HttpClientDeps {
  fetch: GuardedFetch;
  pace: Pace;
  /** As in the webhook configuration, including a path prefix. */
  provider_base_url: string;
  api_token: string;
  now: () => Date;
  log: Logger;
}

export interface ApiRequest {
  method: 'GET' | 'PUT' | 'POST';
  /** Below `/api/v4/`, encoded. */
  path: string;
  query?: URLSearchParams;
  body?: object;
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** An HTTP client for one GitLab and one token. */
export interface HttpClient {
  /** Host and port, for messages. */
  host: string;
  /** @throws PlatformError */
  ask(request: ApiRequest): Promise<ApiAnswer>;
  /**
   * Downloads a file from the API, or from the address that it redirects to.
   *
   * @throws PlatformError `too_large` beyond `max_bytes`; the rest is not read
   */
  download(request: Omit<ApiRequest, 'method' | 'body'>, max_bytes: number): Promise<Uint8Array>;
}

export function createHttpClient({ fetch, pace, provider_base_url, api_token, now, log }: HttpClientDeps): HttpClient {
  const base = `${dropTrailing(provider_base_url, '/')}/api/v4/`;
  const { host } = new URL(base);

  async function ask(request: ApiRequest): Promise<ApiAnswer> {
    return pace.run(REQUEST_KINDS[request.method], () => exchange(request));
  }

  async function exchange(request: ApiRequest): Promise<ApiAnswer> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await send(buildUrl(request), request, signal);
    const bytes = await readBody(response, MAX_ANSWER_BYTES);
    const headers = Object.fromEntries(response.headers.entries());
    return { status: response.status, headers, body: parseBody(bytes) };
  }

  async function download(request: Omit<ApiRequest, 'method' | 'body'>, max_bytes: number): Promise<Uint8Array> {
    return pace.run('read', async () => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const address = buildUrl(request);
      const response = await send(address, { method: 'GET', follow: true }, signal);
      const location = response.headers.get('location');
      if (location === null) return readBody(response, max_bytes);
      await response.body?.cancel();
      const redirect_url = URL.parse(location, address);
      if (redirect_url === null) throw new PlatformError('rejected', `${host} redirects to an invalid address`);
      // The address is signed or public, so the token is not sent.
      const stored = await sendTo(redirect_url.href, { method: 'GET', headers: {} }, signal);
      return readBody(stored, max_bytes);
    });
  }

  function buildUrl({ path, query }: Pick<ApiRequest, 'path' | 'query'>): string {
    return query === undefined || query.size === 0 ? `${base}${path}` : `${base}${path}?${query}`;
  }

  async function send(
    address: string,
    { method, body, follow = false }: { method: string; body?: object; follow?: boolean },
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = { 'private-token': api_token, ...(body && { 'content-type': 'application/json' }) };
    return sendTo(address, { method, headers, follow, ...(body && { body: JSON.stringify(body) }) }, signal);
  }

  /** Returns a successful response, or an expected redirect. */
  async function sendTo(
    address: string,
    request: { method: string; headers: Record<string, string>; body?: string; follow?: boolean },
    signal: AbortSignal,
  ): Promise<Response> {
    const { follow = false, ...init } = request;
    const response = await fetch(address, { ...init, signal }).catch((error: unknown) => {
      throw toUnreachableError(host, error);
    });
    if (response.ok || (follow && isRedirect(response))) return response;
    await response.body?.cancel();
    log.info({ host, method: init.method, status: response.status }, 'a Git host rejected a request');
    throw toPlatformError(host, response, now());
  }

  async function readBody(response: Response, max_bytes: number): Promise<Uint8Array> {
    const too_large = new PlatformError('too_large', `${host} sent more than ${max_bytes} bytes`);
    if (Number(response.headers.get('content-length') ?? 0) > max_bytes) {
      await response.body?.cancel();
      throw too_large;
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        if (bytes > max_bytes) throw too_large;
        chunks.push(chunk);
      }
    } catch (error) {
      throw error === too_large ? error : toUnreachableError(host, error);
    }
    return Buffer.concat(chunks);
  }

  function parseBody(bytes: Uint8Array): unknown {
    if (bytes.length === 0) return null;
    try {
      return JSON.parse(Buffer.from(bytes).toString('utf8'));
    } catch {
      throw new PlatformError('unavailable', `${host} returned a response that is not JSON`);
    }
  }

  return { host, ask, download };
}

function isRedirect(response: Response): boolean {
  return response.status >= 300 && response.status < 400 && response.headers.has('location');
}
