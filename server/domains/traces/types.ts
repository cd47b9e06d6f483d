export type TraceKind = 'narrative' | 'drift-narrative' | 'classify' | 'plan-noise-fix' | 'iac-gen';

/** What a trace tells of a prompt without its text. */
export interface TraceInputs {
  /** SHA-256 of the user part, hex. */
  digest: string;
  char_count: number;
  resource_count: number;
}

/** The texts of a call. They are kept outside the database, sealed, and for less long than the row. */
export interface TraceBody {
  system_prompt: string;
  user_prompt: string;
  /** null: no answer came. */
  raw_response: string | null;
  /**
   * What was used of the answer, after every check, as JSON; null: nothing was. Of a narrative it is the engine's `Reading`,
   * which a replay makes again.
   */
  parsed: unknown;
  inputs: TraceInputs;
}

/** One call of a model, or the deterministic text in its place, as its caller tells it. Secrets are taken out here. */
export interface NewTrace {
  org_id: string;
  scan_run_id: string | null;
  kind: TraceKind;
  /** null: none was asked. */
  model: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  latency_ms: number;
  /** Answered by the memory of the classifier. */
  cached: boolean;
  /** A deterministic result was used. */
  fallback: boolean;
  prompt_version: string;
  /** Why there is no answer, or none that could be used. */
  error: string | null;
  body: TraceBody;
}

/** The door through which every domain that asks a model leaves a trace. */
export interface TraceWriter {
  /**
   * Resolves when row and body are durable. A body that cannot be stored is lost with a warning, and its row says so.
   *
   * @returns the id, `trc-` and 24 hex digits
   * @throws what the database says
   */
  record(trace: NewTrace): Promise<string>;
}

/** `pending` until the body is stored or has failed to be; `expired` once it was deleted by retention. */
export type TraceStatus = 'pending' | 'ready' | 'failed' | 'expired';

/** A trace without its texts, as the database holds it. */
export interface Trace extends Omit<NewTrace, 'body'> {
  id: string;
  status: TraceStatus;
  inputs: TraceInputs;
  created_at: Date;
}

/** Keeps bodies by name. */
export interface BodyStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer | undefined>;
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }>;
}

/** Protects bodies at rest. */
export interface Sealer {
  seal(plain: Uint8Array, aad: string): Buffer;
  open(sealed: Uint8Array, aad: string): Buffer;
}
