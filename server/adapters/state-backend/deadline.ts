/** Until the response begins, redirects and tokens included. */
const RESPONSE_MS = 30_000;
/** A body can take one second more for each mebibyte that has arrived, so that a slow sender holds no connection. */
const BYTES_PER_SECOND = 1_048_576;
/** For reading a state while it arrives, which does not count as time of the transfer. */
const READING_MS = 60_000;

/** How long this service can wait for a transfer of which so many bytes have arrived, in milliseconds. */
export function allowedMs(bytes: number, response_ms = RESPONSE_MS): number {
  return response_ms + (bytes / BYTES_PER_SECOND) * 1_000;
}

/** Longest time from the first request for a state of at most so many bytes to the end of reading it. */
export function longestFetchMs(max_bytes: number): number {
  return allowedMs(max_bytes) + READING_MS;
}

export interface Deadline {
  /** Aborted at the deadline, with the caller's signal, or by `end`. */
  signal: AbortSignal;
  /** Moves the deadline, because bytes have arrived, and stops the clock while this service works with them. */
  pause(bytes: number): void;
  /** This service waits for the other side again. */
  resume(): void;
  /** Ends all requests that are still running. */
  end(): void;
}

export interface DeadlineOptions {
  signal: AbortSignal;
  response_ms?: number | undefined;
}

/**
 * Starts now, and counts only the time in which this service waits for the other side. `end` must be called, because a
 * running timer keeps the process alive.
 */
export function startDeadline({ signal, response_ms }: DeadlineOptions): Deadline {
  const ended = new AbortController();
  const expire = () => ended.abort(new DOMException('the transfer took too long', 'TimeoutError'));
  let left_ms = allowedMs(0, response_ms);
  let waiting_since = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(expire, left_ms);

  function pause(bytes: number): void {
    if (timer !== undefined) left_ms -= performance.now() - waiting_since;
    left_ms += allowedMs(bytes, 0);
    stopClock();
  }

  function resume(): void {
    if (timer !== undefined || ended.signal.aborted) return;
    waiting_since = performance.now();
    timer = setTimeout(expire, left_ms);
  }

  function stopClock(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function end(): void {
    stopClock();
    ended.abort();
  }

  return { signal: AbortSignal.any([signal, ended.signal]), pause, resume, end };
}
