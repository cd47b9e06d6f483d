import { isObject } from '../../../lib/is-object.ts';
import { EgressError, type GuardedFetch } from '../../egress/index.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1_048_576;

export interface HostAnswer {
  status: number;
  headers: Headers;
  /** The JSON object of the response; empty if the body was not one. */
  body: Readonly<Record<string, unknown>>;
}

export type AskHost = (path: string) => Promise<HostAnswer>;

/** The host gave no response that says anything about the token. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Requests JSON from an API, with a limit of ten seconds and one megabyte, and without following redirects. */
export function createAskHost(fetch: GuardedFetch, api_url: string, headers: Record<string, string>): AskHost {
  const { host } = new URL(api_url);

  /** @throws NoAnswer if the host is unreachable, busy or broken, or responds with too much */
  return async (path) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const request_headers = { accept: 'application/json', 'user-agent': 'dpa', ...headers };
      const answer = await fetch(`${api_url}${path}`, { method: 'GET', headers: request_headers, signal });
      return { status: answer.status, headers: answer.headers, body: await readObject(answer, host) };
    } catch (error) {
      throw noAnswer(error, host, signal);
    }
  };
}

/** @throws NoAnswer */
export function assertAnswered({ status, headers }: HostAnswer, host: string): void {
  if (status >= 500) throw new NoAnswer(`${host} responded with status ${status}; try again later`);
  const is_limited = status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0');
  if (is_limited) throw new NoAnswer(`${host} is limiting requests; try again later`);
}

async function readObject(answer: Response, host: string): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new NoAnswer(`${host} sent a response larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return parseObject(Buffer.concat(chunks).toString());
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function noAnswer(error: unknown, host: string, signal: AbortSignal): NoAnswer {
  if (error instanceof NoAnswer) return error;
  if (signal.aborted)
    return new NoAnswer(`${host} did not respond within ${TIMEOUT_MS / 1000} seconds; try again later`);
  if (error instanceof EgressError) return new NoAnswer(error.message);
  return new NoAnswer(`${host} closed the connection early; try again later`);
}
