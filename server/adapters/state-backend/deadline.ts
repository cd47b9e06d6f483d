/** Until the response begins, redirects and tokens included. */
const RESPONSE_MS = 30_000;
/** A body can take one second more for each mebibyte that has arrived, so that a slow sender holds no connection. */
const BYTES_PER_SECOND = 1_048_576;

/** How long a transfer of which so many bytes have arrived can take in total, in milliseconds. */
export function allowedMs(bytes: number, response_ms = RESPONSE_MS): number {
  return response_ms + (bytes / BYTES_PER_SECOND) * 1_000;
}

export interface Deadline {
  /** Aborted at the deadline, with the caller's signal, or by `end`. */
  signal: AbortSignal;
  /** Moves the deadline, because bytes have arrived. */
  extend(bytes: number): void;
  /** Ends all requests that are still running. */
  end(): void;
}

export interface DeadlineOptions {
  signal: AbortSignal;
  response_ms?: number | undefined;
}

/** Starts now. `end` must be called, because a running timer keeps the process alive. */
export function startDeadline({ signal, response_ms }: DeadlineOptions): Deadline {
  const started_at = performance.now();
  const ended = new AbortController();
  const expire = () => ended.abort(new DOMException('the transfer took too long', 'TimeoutError'));
  let timer = setTimeout(expire, allowedMs(0, response_ms));
  let received = 0;

  function extend(bytes: number): void {
    received += bytes;
    clearTimeout(timer);
    timer = setTimeout(expire, allowedMs(received, response_ms) - (performance.now() - started_at));
  }

  function end(): void {
    clearTimeout(timer);
    ended.abort();
  }

  return { signal: AbortSignal.any([signal, ended.signal]), extend, end };
}
