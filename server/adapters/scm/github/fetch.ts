import { parseUrl } from '../../../lib/parse-url.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import { PlatformError } from '../types.ts';

const TIMEOUT_MS = 30_000;
/** More than a page of a hundred comments of maximum length. */
const MAX_BYTES = 32 * 1_048_576;
const MAX_REDIRECTS = 3;
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Options of one request. */
interface Outgoing {
  method?: string;
  headers?: Record<string, string>;
  body?: string | null;
  /** `manual`: return the redirect itself. */
  redirect?: string;
}

/**
 * The `fetch` of an Octokit: with a timeout of 30 seconds and a size limit. It reads the whole body, so that an interrupted
 * connection is an ordinary error. It follows redirects of renamed repositories only within the same origin, so that the
 * token is not sent elsewhere.
 */
export function octokitFetch(send: GuardedFetch): (url: string, init?: Outgoing) => Promise<Response> {
  return async (url, { method = 'GET', headers = {}, body, redirect } = {}) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = { method, headers, signal, ...(typeof body === 'string' && { body }) };
    let answer = await send(url, request);
    for (let hop = 0, from = url; redirect !== 'manual' && hop < MAX_REDIRECTS; hop += 1) {
      const next = findRedirect(answer, from, method);
      if (next === undefined) break;
      await answer.body?.cancel();
      answer = await send(next, request);
      from = next;
    }
    return readWhole(answer);
  };
}

/** The operator configures the address of the App, so it can be private. */
export const trustedFetch: GuardedFetch = (url, request) => fetch(url, { ...request, redirect: 'manual' });

/**
 * Reads the body, at most `max_bytes`.
 *
 * @throws PlatformError `too_large`; the rest is not read
 */
export async function readBounded(answer: Response, max_bytes: number): Promise<Uint8Array> {
  const declared_bytes = Number(answer.headers.get('content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let bytes = declared_bytes > max_bytes ? declared_bytes : 0;
  const reader = answer.body?.getReader();
  while (reader !== undefined && bytes <= max_bytes) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    bytes += value.length;
    chunks.push(value);
  }
  await reader?.cancel();
  if (bytes > max_bytes) throw new PlatformError('too_large', `the response is larger than ${max_bytes} bytes`);
  return new Uint8Array();
}

/** Returns the redirect target on the same origin: any redirect for reads, a redirect that keeps the method for writes. */
function findRedirect({ status, headers }: Response, from: string, method: string): string | undefined {
  const location = headers.get('location');
  const keeps_method = status === 307 || status === 308;
  if (location === null || !(keeps_method || (method === 'GET' && (status === 301 || status === 302))))
    return undefined;
  const next = parseUrl(location, from);
  return next?.origin === new URL(from).origin ? next.href : undefined;
}

async function readWhole(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  if (WITHOUT_BODY.has(status)) return answer;
  return new Response(await readBounded(answer, MAX_BYTES), { status, headers });
}
