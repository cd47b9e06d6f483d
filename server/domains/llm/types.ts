/** A provider's account as its owner configured it; secrets in clear, so this never leaves memory unsealed. */
export type LlmConfig =
  | { provider: 'anthropic' | 'openai' | 'gemini'; api_key: string; model?: string }
  | {
      provider: 'bedrock';
      aws_region: string;
      aws_access_key_id: string;
      aws_secret_access_key: string;
      /** Taken on first, when the model stands in another account. */
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

/** One question. The answer is one JSON object that fits the schema; models get no tools that do anything. */
export interface LlmRequest {
  system: string;
  user: string;
  schema: {
    /** Letters, digits and `_`. */
    name: string;
    description: string;
    /** JSON Schema of an object; every property required, nothing additional: what all providers enforce. */
    json: Record<string, unknown>;
  };
  max_output_tokens: number;
}

export interface LlmAnswer {
  /** What the model said, as text; not yet checked against the schema. At most 256 KiB. */
  text: string;
  /** Which model answered. */
  model: string;
  /** null where the provider does not say. */
  input_tokens: number | null;
  output_tokens: number | null;
}

/**
 * Why there is no answer. `auth`: 401, 403. `rate_limited`: 429. `unavailable`: 5xx, no connection. `timeout`: ours.
 * `rejected`: any other 4xx, which no retry mends. `refused`: the model declined, or its answer was cut or filtered.
 * `cancelled`: the caller's signal.
 */
export type LlmErrorClass = 'auth' | 'rate_limited' | 'unavailable' | 'timeout' | 'rejected' | 'refused' | 'cancelled';

/** What the adapters throw. Its message is made of our words alone: a provider's error text may echo a key or the prompt. */
export class LlmError extends Error {
  override readonly name = 'LlmError';
  readonly error_class: LlmErrorClass;
  /** HTTP status of the provider; null without an answer. */
  readonly status: number | null;
  /** Seconds that the provider asked to wait; null when it did not say. */
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
  /** The model that is asked, as it is known before it answers. */
  readonly model: string;
  /** One try; retries are the caller's. @throws LlmError */
  ask(request: LlmRequest, signal: AbortSignal): Promise<LlmAnswer>;
}

/** Why an own account gave no text. @see openapi.yaml, AnalyzeResult.skip_reason */
export type SkipReason = 'byok_client_error' | 'byok_rate_limited' | 'decrypt_failed' | 'key_unavailable';

/** What may be shown of a configured account. */
export interface StoredConfig {
  provider: LlmProvider;
  created_at: Date;
  updated_at: Date;
  last_validated_at: Date | null;
}

/** Whose model an org's questions go to. `unreadable`: an own account is configured, and its record does not open. */
export type OpenedConfig =
  | { kind: 'byok'; config: LlmConfig; updated_at: Date }
  | { kind: 'platform'; config: LlmConfig }
  | { kind: 'none' }
  | { kind: 'unreadable'; skip_reason: 'decrypt_failed' | 'key_unavailable' };

/** Makes the client of a configured account. @throws LlmError when no request can be made from it */
export type OpenLlmClient = (config: LlmConfig) => Promise<LlmClient>;

/** What the gate took, to be written with the job it was taken for. */
export interface Reservation {
  reservation: 'held';
  reserved_week: Date;
  reserved_hour: Date;
}

export interface LlmCallRequest {
  org_id: string;
  request: LlmRequest;
  /** Ends the call; then `ask` throws. */
  signal: AbortSignal;
}

/** What a call was, for its trace. */
export interface LlmCall {
  model: string;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Of all tries and the waits between them. */
  latency_ms: number;
  tries: number;
  error_class: LlmErrorClass | null;
}

/**
 * What became of a question. `call` is null where no model was asked. `skipped`: the org's own account failed; the
 * platform's model is not asked in its place. `fallback`: words for people, why there is no answer.
 */
export type LlmOutcome =
  | { answer: LlmAnswer; billed_to: 'org' | 'platform'; call: LlmCall }
  | { fallback: string; call: LlmCall | null }
  | { skipped: SkipReason; call: LlmCall | null };
