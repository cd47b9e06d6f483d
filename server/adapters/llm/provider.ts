import type { LlmErrorClass, LlmRequest } from '../../domains/llm/types.ts';
import type { GuardedFetch } from '../egress/index.ts';

/** A configured provider with its SDK loaded. */
export interface Provider {
  /** The model to call. */
  model: string;
  /** Makes one call, only through `line`. Any error other than LlmError means that the response cannot be read. */
  ask(transport: Transport, request: LlmRequest): Promise<RawAnswer>;
  /**
   * Details from the body of an error that its status and headers do not contain; called only for the listed statuses.
   */
  errors?: { statuses: readonly number[]; read(body: unknown): ErrorDetail };
  /** Replaces plain fetch if the address was not set by the operator. */
  send?: GuardedFetch;
}

/**
 * The connection to a provider during one attempt. Passes only successful, complete and size-limited responses to an
 * SDK.
 */
export interface Transport {
  fetch: typeof fetch;
  signal: AbortSignal;
  timeout_ms: number;
}

/** The response of the SDK, not validated. */
export interface RawAnswer {
  text: unknown;
  model: unknown;
  input_tokens: unknown;
  output_tokens: unknown;
}

export interface ErrorDetail {
  error_class?: LlmErrorClass;
  /** Seconds. */
  retry_after?: number;
}

/**
 * Reasoning models count their reasoning as output. This is added to the output limit of the caller, because otherwise
 * a short answer would be cut off.
 */
export const THINKING_TOKENS = 8_000;

/** Claude reasons by default from its fifth generation on. */
export function isThinkingClaude(model: string): boolean {
  return /claude-[a-z]+-(?:[5-9]|[1-9]\d)(?!\d)/.test(model);
}
