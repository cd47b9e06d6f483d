import type { CloudCredentials } from '../cloud/types.ts';

/** Where a state is stored, in the words of the contract's `config`. */
export type StateLocation =
  | { kind: 'gcs'; bucket: string; object: string }
  | { kind: 's3'; bucket: string; key: string; region: string }
  | { kind: 'azure_blob'; account: string; container: string; blob: string }
  | { kind: 'tfc'; endpoint?: string; workspace: string; token: string };

/** A bucket or container of which a glob registers states. */
export type StateFolder =
  | { provider: 'gcp'; bucket: string; prefix: string }
  | { provider: 'aws'; bucket: string; prefix: string; region: string }
  | { provider: 'azure'; storage_account: string; bucket: string; prefix: string };

/** With whose credential a bucket is read; null for HCP Terraform, which has its own token. */
export interface StateAccess {
  credentials: CloudCredentials;
  token_subject: string;
}

export interface FetchedState {
  /** The bytes as stored. Ends with StateBackendError `too_large` or `unreachable` if they do not all arrive. */
  body: AsyncIterable<Uint8Array>;
  /** Version of the object where the backend has one. */
  etag: string | null;
}

export interface StateBackend {
  /** Longest time that `fetch` and reading its body can take, in milliseconds; longer for larger allowed states. */
  readonly fetch_timeout_ms: number;
  /** Opens the state for reading. @throws StateBackendError */
  fetch(location: StateLocation, access: StateAccess | null, signal: AbortSignal): Promise<FetchedState>;
  /**
   * All keys under the prefix that end with `.tfstate`, in byte order, at most `max` + 1 of them.
   *
   * @throws StateBackendError
   */
  list(folder: StateFolder, access: StateAccess, options: { max: number; signal: AbortSignal }): Promise<string[]>;
}

export type StateBackendReason =
  | 'not_found'
  | 'no_such_bucket'
  | 'access_denied'
  | 'wrong_region'
  | 'credential_rejected'
  | 'not_allowed'
  | 'too_large'
  | 'throttled'
  | 'unreachable'
  | 'unusable';

/** Why a state could not be read. `message` says what to do and never contains text from the backend. */
export class StateBackendError extends Error {
  readonly reason: StateBackendReason;
  /** The wait that the backend asked for. */
  readonly retry_after_s: number | undefined;

  constructor(
    reason: StateBackendReason,
    message: string,
    { retry_after_s, ...options }: ErrorOptions & { retry_after_s?: number | undefined } = {},
  ) {
    super(message, options);
    this.name = 'StateBackendError';
    this.reason = reason;
    this.retry_after_s = retry_after_s;
  }
}
