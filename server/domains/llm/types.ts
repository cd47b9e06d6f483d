/** A configured account with its secrets in clear text; it is stored only encrypted. */
export type LlmConfig =
  | { provider: 'anthropic' | 'openai' | 'gemini'; api_key: string; model?: string }
  | {
      provider: 'bedrock';
      aws_region: string;
      aws_access_key_id: string;
      aws_secret_access_key: string;
      /** Role to assume first, if the model is in another account. */
      aws_role_arn?: string;
      model?: string;
    }
  | {
      provider: 'azure_openai';
      azure_endpoint: string;
      azure_deployment: string;
      azure_api_key: string;
      azure_api_version?: string;
    };

export type LlmProvider = LlmConfig['provider'];

/** One prompt. The answer is one JSON object that matches the schema; models get no tools with side effects. */
export interface LlmRequest {
  system: string;
  user: string;
  schema: {
    /** Letters, digits and `_`. */
    name: string;
    description: string;
    /** JSON Schema of an object; every property is required and no others are allowed, which all providers enforce. */
    json: Record<string, unknown>;
  };
  max_output_tokens: number;
}

export interface LlmAnswer {
  /** The model's answer as text, not validated against the schema. At most 256 KiB. */
  text: string;
  /** The model that answered. */
  model: string;
  /** null if the provider does not report it. */
  input_tokens: number | null;
  output_tokens: number | null;
}

/**
 * Why there is no answer. `auth`: 401, 403. `rate_limited`: 429. `unavailable`: 5xx, no connection. `timeout`: the
 * client's timeout. `rejected`: any other 4xx, which no retry fixes. `refused`: the model declined, or its answer was
 * truncated or filtered. `cancelled`: the caller's signal.
 */
export type LlmErrorClass = 'auth' | 'rate_limited' | 'unavailable' | 'timeout' | 'rejected' | 'refused' | 'cancelled';

/**
 * Error of the adapters. Its message contains only this service's words, because a provider's error text may echo a key
 * or the prompt.
 */
export class LlmError extends Error {
  override readonly name = 'LlmError';
  readonly error_class: LlmErrorClass;
  /** HTTP status of the provider; null without a response. */
  readonly status: number | null;
  /** Seconds that the provider asked to wait; null if it did not. */
  readonly retry_after: number | null;

  constructor(
    error_class: LlmErrorClass,
    message: string,
    { status = null, retry_after = null }: { status?: number | null; retry_after?: number | null } = {},
  ) {
    super(message);
    this.error_class = error_class;
    this.status = status;
    this.retry_after = retry_after;
  }
}

/** One configured model. */
export interface LlmClient {
  /** The requested model, known before the call. */
  readonly model: string;
  /** One attempt; the caller retries. @throws LlmError */
  ask(request: LlmRequest, signal: AbortSignal): Promise<LlmAnswer>;
}

/** Why an own account gave no text. @see openapi.yaml, AnalyzeResult.skip_reason */
export type SkipReason = 'byok_client_error' | 'byok_rate_limited' | 'decrypt_failed' | 'key_unavailable';

/** The public part of a configured account. */
export interface StoredConfig {
  provider: LlmProvider;
  created_at: Date;
  updated_at: Date;
  last_validated_at: Date | null;
}

/** The account for an organization's calls. `unreadable`: an own account is configured, but cannot be decrypted. */
export type OpenedConfig =
  | { kind: 'byok'; config: LlmConfig; updated_at: Date }
  | { kind: 'platform'; config: LlmConfig }
  | { kind: 'none' }
  | { kind: 'unreadable'; skip_reason: 'decrypt_failed' | 'key_unavailable' };

/** Creates the client of a configured account. @throws LlmError if the configuration cannot be used */
export type OpenLlmClient = (config: LlmConfig) => Promise<LlmClient>;

/** A reservation, to be written with its job. */
export interface Reservation {
  reservation: 'held';
  reserved_week: Date;
  reserved_hour: Date;
}

export interface LlmCallRequest {
  org_id: string;
  request: LlmRequest;
  /** Aborts the call; then `ask` throws. */
  signal: AbortSignal;
}

/** Facts about a call, for its trace. */
export interface LlmCall {
  model: string;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Duration of all attempts and the waits between them. */
  latency_ms: number;
  tries: number;
  error_class: LlmErrorClass | null;
}

/**
 * Outcome of a question. `call` is null if no model was called. `skipped`: the organization's own account failed; the
 * platform's model is not used instead. `fallback`: why there is no answer, for people.
 */
export type LlmOutcome =
  | { answer: LlmAnswer; billed_to: 'org' | 'platform'; call: LlmCall }
  | { fallback: string; call: LlmCall | null }
  | { skipped: SkipReason; call: LlmCall | null };
