import { DpaApiError, DpaConnectionError, DpaTimeoutError } from './errors.ts';

const REPEATABLE_METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** A longer `Retry-After` is thrown to the caller instead of waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Whether a request can be repeated safely: idempotent methods (RFC 9110, section 9.2.2), or an idempotency key. */
export function isRepeatable(method: string, has_key: boolean): boolean {
  return REPEATABLE_METHODS.has(method) || has_key;
}

/**
 * Time to wait before the next attempt, in milliseconds: `Retry-After`, or exponential backoff with full jitter.
 *
 * @param tries number of failed attempts, at least 1
 * @returns null if another attempt would fail too, or would have to wait too long
 */
export function computeRetryDelay(error: unknown, tries: number): number | null {
  const backoff = Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  if (error instanceof DpaConnectionError || error instanceof DpaTimeoutError) return backoff;
  if (!(error instanceof DpaApiError) || !isTransient(error)) return null;
  if (error.retry_after === undefined) return backoff;
  const requested_ms = error.retry_after * 1_000;
  return requested_ms > LONGEST_RETRY_AFTER_MS ? null : requested_ms;
}

function isTransient({ status, error_class }: DpaApiError): boolean {
  // An earlier attempt of this call is still running.
  return TRANSIENT_STATUSES.has(status) || error_class === 'idempotency_in_progress';
}

/**
 * Reads `Retry-After`, in seconds.
 *
 * @see RFC 9110, section 10.2.3: a number of seconds or a date
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/**
 * Waits.
 *
 * @throws the reason of `signal` as soon as it is aborted
 */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}
