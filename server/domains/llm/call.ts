/** How long to wait before a retry, and what an error means for the caller. */
import type { LlmError, LlmErrorClass, SkipReason } from './types.ts';

const FIRST_WAIT_MS = 1_000;

/** Whether a retry may help. */
const TRANSIENT = new Set<LlmErrorClass>(['rate_limited', 'unavailable', 'timeout']);
/** Errors of the account or its provider, not of the prompt. */
const ACCOUNT_FAULTS = new Set<LlmErrorClass>(['auth', 'rate_limited', 'unavailable', 'timeout']);

export function isTransient({ error_class }: LlmError): boolean {
  return TRANSIENT.has(error_class);
}

export function isAccountFault({ error_class }: LlmError): boolean {
  return ACCOUNT_FAULTS.has(error_class);
}

/**
 * Milliseconds before the next attempt: the provider's wait, or one second, doubled each time.
 *
 * @param failed number of failed attempts, from 1
 * @param spread from 0 to 1: spreads the retries of calls that failed together
 */
export function waitBefore({ retry_after }: LlmError, failed: number, spread: number): number {
  if (retry_after !== null) return Math.max(0, retry_after) * 1_000;
  return FIRST_WAIT_MS * 2 ** (failed - 1) * (0.75 + spread / 2);
}

/**
 * The reason shown when an organization's own account failed; undefined if the model refused to answer, which is not an
 * error of the account.
 */
export function toSkipReason(error: LlmError): SkipReason | undefined {
  if (error.error_class === 'refused') return undefined;
  return isTransient(error) ? 'byok_rate_limited' : 'byok_client_error';
}

const CLASS_TEXTS: Record<Exclude<LlmErrorClass, 'cancelled'>, string> = {
  auth: 'the model account was rejected',
  rate_limited: 'the model is limiting the request rate',
  unavailable: 'the model could not be reached',
  timeout: 'the model did not respond in time',
  rejected: 'the model rejected the prompt',
  refused: 'the model gave no usable response',
};

export const NO_MODEL = 'no model is configured';

/** Why there is no answer, for people. */
export function describeError({ error_class }: LlmError): string {
  return CLASS_TEXTS[error_class === 'cancelled' ? 'unavailable' : error_class];
}
