import { LlmError, type LlmErrorClass } from '../../domains/llm/types.ts';
import { parseDecimal, readRetryAfter } from '../../lib/retry-after.ts';
import { EgressError } from '../egress/index.ts';
import type { ErrorDetail } from './provider.ts';

/** Longer waits are not passed on. */
const MAX_RETRY_AFTER_S = 86_400;

/** Why a model returned no usable answer. */
const REFUSALS = {
  declined: 'the model declined to respond',
  filtered: "the provider filtered the model's response",
  cut: "the model's response was cut off at the token limit",
  malformed: 'the model responded in an unexpected format',
  too_long: "the model's response is larger than 256 KiB",
};

/** The error for a response with status 200 that is not usable. */
export function refusal(why: keyof typeof REFUSALS): LlmError {
  return new LlmError('refused', REFUSALS[why], { status: 200 });
}

export function cancelled(): LlmError {
  return new LlmError('cancelled', 'the call was canceled');
}

export function timedOut(provider: string, timeout_ms: number): LlmError {
  return new LlmError('timeout', `${provider} did not respond within ${timeout_ms / 1_000} s`);
}

/** An error before anything was sent: a key or a name with characters that cannot be in a request. */
export function unusableConfig(provider: string): LlmError {
  return new LlmError('rejected', `this configuration cannot be used to call ${provider}`);
}

export function unreadableAnswer(provider: string): LlmError {
  return new LlmError('unavailable', `${provider} sent a response that cannot be read`, { status: 200 });
}

export function unreachable(provider: string, error: unknown): LlmError {
  if (error instanceof EgressError && error.reason === 'refused') {
    return new LlmError('rejected', `the address of ${provider} is not on the public internet`);
  }
  return new LlmError('unavailable', `${provider} cannot be reached, or closed the connection early`);
}

/** The error for a response with a status other than 2xx. */
export function statusError(provider: string, response: Response, detail: ErrorDetail = {}): LlmError {
  const { status, headers } = response;
  const error_class = detail.error_class ?? classifyStatus(status);
  const retry_after = readWait(headers, new Date()) ?? detail.retry_after ?? null;
  return new LlmError(error_class, `${provider} ${CLASS_TEXTS[error_class] ?? 'failed'} (status ${status})`, {
    status,
    retry_after,
  });
}

const CLASS_TEXTS: Partial<Record<LlmErrorClass, string>> = {
  auth: 'rejects the credentials',
  rate_limited: 'is limiting the request rate',
  unavailable: 'is not available',
  rejected: 'rejects the request',
  refused: 'filtered the prompt',
};

function classifyStatus(status: number): LlmErrorClass {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate_limited';
  // 408: the provider's own timeout; a retry may succeed as with a 5xx.
  return status >= 500 || status === 408 ? 'unavailable' : 'rejected';
}

/**
 * Seconds to wait, at most a day: `retry-after-ms` (OpenAI, Azure, Anthropic) before `retry-after`.
 *
 * @returns undefined if the headers contain no valid value
 */
export function readWait(headers: Headers, now: Date): number | undefined {
  const ms = parseDecimal(headers.get('retry-after-ms') ?? '');
  const seconds = ms === undefined ? readRetryAfter(headers.get('retry-after'), now) : ms / 1_000;
  return seconds === undefined ? undefined : clampWait(seconds);
}

/** Seconds between 0 and a day. */
export function clampWait(seconds: number): number {
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S);
}
