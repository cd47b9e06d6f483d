export type TraceKind = 'narrative' | 'drift-narrative' | 'classify' | 'plan-noise-fix' | 'iac-gen';

/** Facts about a prompt without its text. */
export interface TraceInputs {
  /** SHA-256 of the user part, hex. */
  digest: string;
  char_count: number;
  resource_count: number;
}

/** The texts of a call. They are stored outside the database, encrypted, and deleted before the row. */
export interface TraceBody {
  system_prompt: string;
  user_prompt: string;
  /** null: there was no response. */
  raw_response: string | null;
  /**
   * The used part of the response after all checks, as JSON; null: nothing was used. For a narrative it is the engine's
   * `Reading`, which a replay creates again.
   */
  parsed: unknown;
  inputs: TraceInputs;
}

/** One model call, or the deterministic text that replaced it, from the caller. Secrets are removed here. */
export interface NewTrace {
  org_id: string;
  scan_run_id: string | null;
  kind: TraceKind;
  /** null: no model was called. */
  model: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  latency_ms: number;
  /** Answered from the cache of the classifier. */
  cached: boolean;
  /** A deterministic result was used. */
  fallback: boolean;
  prompt_version: string;
  /** Why there is no answer, or no usable one. */
  error: string | null;
  body: TraceBody;
}

/** Records traces for all domains that call a model. */
export interface TraceWriter {
  /**
   * Resolves when row and body are durable. A body that cannot be stored is dropped with a warning, and its row says
   * so.
   *
   * @returns the id, `trc-` and 24 hex digits
   * @throws database errors
   */
  record(trace: NewTrace): Promise<string>;
}

/** `pending` until the body is stored or has failed; `expired` after it was deleted. */
export type TraceStatus = 'pending' | 'ready' | 'failed' | 'expired';

/** A trace without its texts, as in the database. */
export interface Trace extends Omit<NewTrace, 'body'> {
  id: string;
  status: TraceStatus;
  inputs: TraceInputs;
  created_at: Date;
}
