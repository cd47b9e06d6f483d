import type { LlmErrorClass, LlmRequest } from '../../domains/llm/types.ts';
import type { GuardedFetch } from '../egress/index.ts';

/** The provider of one configuration, its SDK loaded. */
export interface Provider {
  /** The model that is asked. */
  model: string;
  /** Asks once, over `line` alone. Whatever it throws beside a LlmError is taken as an answer that cannot be read. */
  ask(transport: Transport, request: LlmRequest): Promise<RawAnswer>;
  /** What the body of an error says that its status and headers do not; only for the statuses named. */
  errors?: { statuses: readonly number[]; read(body: unknown): ErrorDetail };
  /** In place of plain fetch, when somebody else than the operator named the address. */
  send?: GuardedFetch;
}

/** The way to a provider during one try. Gives an SDK good answers only, whole and bounded. */
export interface Transport {
  fetch: typeof fetch;
  signal: AbortSignal;
  timeout_ms: number;
}

/** What came back, as the SDK gives it: nothing of it is believed yet. */
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
 * Models that think count their thoughts as output. Room for them is added to what the caller allows for the answer, or
 * a short answer would be cut off before it began.
 */
export const THINKING_TOKENS = 8_000;

/** Claude from its fifth generation on thinks unless told otherwise. */
export function isThinkingClaude(model: string): boolean {
  return /claude-[a-z]+-(?:[5-9]|[1-9]\d)(?!\d)/.test(model);
}
