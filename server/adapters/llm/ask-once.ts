import { type LlmAnswer, LlmError, type LlmRequest } from '../../domains/llm/types.ts';
import { readLimitedBody } from '../../lib/read-body.ts';
import type { GuardedFetch, GuardedRequest } from '../egress/index.ts';
import { MAX_ANSWER_BYTES, toLlmAnswer } from './answer.ts';
import { cancelled, refusal, statusError, timedOut, unreachable, unreadableAnswer, unusableConfig } from './faults.ts';
import type { ErrorDetail, Provider, Transport } from './provider.ts';

const MAX_ERROR_BYTES = 16_384;
/** SDKs add headers that describe this machine or come from the environment; only these headers are sent. */
const SENT_HEADERS =
  /^(accept|authorization|content-type|content-length|anthropic-version|api-key|x-api-key|x-goog-api-key|x-amz-.+|amz-sdk-.+)$/;

export interface AskOptions {
  /** Name of the provider in messages. */
  name: string;
  timeout_ms: number;
  signal: AbortSignal;
}

/**
 * Makes one call with a timeout. Errors of SDKs quote the provider, which may echo a key or the prompt, so none of them
 * is passed on, not even as a cause.
 */
export async function askOnce(provider: Provider, request: LlmRequest, limits: AskOptions): Promise<LlmAnswer> {
  const { name, timeout_ms, signal } = limits;
  if (signal.aborted) throw cancelled();
  const controller = new AbortController();
  let was_sent = false;
  let fault: LlmError | undefined; // the first error names the cause; later ones are its consequences
  const abort = (error: LlmError) => {
    fault ??= error;
    controller.abort();
  };
  const onCancel = () => abort(cancelled());
  const timer = setTimeout(() => abort(timedOut(name, timeout_ms)), timeout_ms);
  signal.addEventListener('abort', onCancel, { once: true });
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(fault), { once: true });
  });
  const transport: Transport = {
    signal: controller.signal,
    timeout_ms,
    async fetch(input, init = {}) {
      const outgoing = buildOutgoing(init, controller.signal);
      was_sent = true;
      try {
        return await exchange(provider, name, String(input), outgoing);
      } catch (error) {
        fault ??= error instanceof LlmError ? error : unreachable(name, error);
        throw fault;
      }
    },
  };
  try {
    // An SDK that ignores the signal is not waited for.
    return toLlmAnswer(await Promise.race([provider.ask(transport, request), aborted]), provider.model);
  } catch (error) {
    if (error instanceof LlmError) fault ??= error;
    throw fault ?? (was_sent ? unreadableAnswer(name) : unusableConfig(name));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onCancel);
  }
}

function buildOutgoing(init: RequestInit, signal: AbortSignal): GuardedRequest {
  const headers: Record<string, string> = { 'user-agent': 'dpa' };
  new Headers(init.headers).forEach((value, name) => {
    if (SENT_HEADERS.test(name)) headers[name] = value;
  });
  return {
    method: init.method ?? 'GET',
    headers,
    signal,
    ...(init.body == null ? {} : { body: decodeText(init.body) }),
  };
}

/** Every provider receives text; some SDKs pass it as bytes. */
function decodeText(body: unknown): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
}

/** @returns a response with status 2xx and its whole body */
async function exchange(provider: Provider, name: string, url: string, outgoing: GuardedRequest): Promise<Response> {
  const response = await (provider.send ?? plainFetch)(url, outgoing);
  if (!response.ok) throw statusError(name, response, await readErrorDetail(provider, response));
  const body = await readLimitedBody(response, MAX_ANSWER_BYTES);
  if (body === undefined) throw refusal('too_long');
  const type = response.headers.get('content-type') ?? 'application/json';
  return new Response(body, { status: 200, headers: { 'content-type': type } });
}

/** Does not follow redirects, which would forward the key. */
const plainFetch: GuardedFetch = (url, outgoing) => fetch(url, { ...outgoing, redirect: 'manual' });

async function readErrorDetail({ errors }: Provider, response: Response): Promise<ErrorDetail> {
  try {
    if (errors?.statuses.includes(response.status)) {
      const body = await readLimitedBody(response, MAX_ERROR_BYTES);
      return body === undefined ? {} : errors.read(JSON.parse(body.toString('utf8')));
    }
    await response.body?.cancel();
  } catch {
    // An error page in another format, or an incomplete one: the status is enough.
  }
  return {};
}
