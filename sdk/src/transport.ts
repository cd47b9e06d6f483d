import type { OperationId } from './contract.ts';
import { startDeadline } from './deadline.ts';
import { DpaApiError, DpaConnectionError, DpaTimeoutError } from './errors.ts';
import { type Hooks, reportAttempt } from './events.ts';
import { VERSION } from './generated/operations.ts';
import type { AnyParams, Message } from './message.ts';
import { writeMessage } from './message.ts';
import { computeRetryDelay, readRetryAfter, sleep } from './retry.ts';
import type { ConnectionOptions, Settings, TokenSource } from './settings.ts';

const TIMEOUT_MS = 60_000;
const RETRIES = 2;
/** Prefix of API keys; any other token is an access token of a user. */
const KEY_PREFIX = 'dpa_';

export interface ClientOptions extends ConnectionOptions, Hooks {
  /** Replaces the `fetch` of the runtime, for a proxy or for tests. */
  fetch?: typeof fetch;
  /** Time limit of one attempt, in milliseconds; default: 60,000. */
  timeout_ms?: number;
  /** Maximum number of retries; default: 2. */
  retries?: number;
  /** Name of your program, appended to the user agent of the SDK. */
  user_agent?: string;
}

/** A successful response. */
export interface AnyReply {
  status: number;
  headers: Headers;
  request_id: string;
  body: unknown;
}

export type Send = (operation: OperationId, params: AnyParams) => Promise<AnyReply>;

/** Options that all calls of a client share. */
type TransportOptions = Omit<ClientOptions, keyof Settings> & Settings;

/** Sends requests and retries those that can be repeated safely. */
export function createTransport(options: TransportOptions): Send {
  return async function send(operation, params) {
    const message = await writeMessage(options.base_url, operation, params);
    message.headers.set('user-agent', [`dpa-sdk/${VERSION}`, options.user_agent].filter(Boolean).join(' '));
    const retries = message.is_repeatable ? (params.retries ?? options.retries ?? RETRIES) : 0;
    for (let tries = 1; ; tries += 1) {
      params.signal?.throwIfAborted();
      if (!message.is_public) await authorize(message.headers, options.token);
      const attempt = reportAttempt(options, message, tries);
      try {
        const reply = await tryOnce(options, message, params);
        attempt.ended(reply);
        return reply;
      } catch (error) {
        const retry_in_ms = tries > retries ? null : computeRetryDelay(error, tries);
        attempt.ended({ error, retry_in_ms });
        if (retry_in_ms === null) throw error;
        await sleep(retry_in_ms, params.signal);
      }
    }
  };
}

async function tryOnce(options: TransportOptions, message: Message, params: AnyParams): Promise<AnyReply> {
  const timeout_ms = params.timeout_ms ?? options.timeout_ms ?? TIMEOUT_MS;
  const deadline = startDeadline(timeout_ms, params.signal);
  try {
    return await fetchReply(options.fetch ?? fetch, message, deadline.signal);
  } catch (error) {
    params.signal?.throwIfAborted();
    if (error instanceof DpaApiError) throw error;
    if (deadline.isOver()) throw new DpaTimeoutError(message.operation, message.request_id, timeout_ms);
    throw new DpaConnectionError(message.operation, message.request_id, error);
  } finally {
    deadline.end();
  }
}

async function authorize(headers: Headers, token: TokenSource): Promise<void> {
  const value = typeof token === 'function' ? await token() : token;
  if (value === null) return;
  if (value.startsWith(KEY_PREFIX)) headers.set('x-api-key', value);
  else headers.set('authorization', `Bearer ${value}`);
}

async function fetchReply(fetcher: typeof fetch, message: Message, signal: AbortSignal): Promise<AnyReply> {
  const { method, headers, body: sent, url } = message;
  // A redirect would send the credential to another server.
  const init = { method, headers, signal, redirect: 'manual' as const };
  const response = await fetcher(url, sent === undefined ? init : { ...init, body: sent });
  const { status } = response;
  const request_id = response.headers.get('x-request-id') ?? message.request_id;
  const type = response.headers.get('content-type') ?? '';
  const body = parse(await response.text(), type);
  // A response with a page instead of JSON does not come from the service, whatever its status.
  const expected = message.answers_text || isJson(type) || body === undefined;
  if ((response.ok && expected) || status === 304) return { status, headers: response.headers, request_id, body };
  const retry_after = readRetryAfter(response.headers);
  throw new DpaApiError({ operation: message.operation, status, request_id, retry_after, body });
}

/** @returns undefined for an empty body, text for anything but JSON */
function parse(text: string, type: string): unknown {
  if (text === '') return undefined;
  if (!isJson(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isJson(type: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}
