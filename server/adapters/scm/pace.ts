import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from './types.ts';

/** Number of writes in a burst; after it, one per second, as Git hosts recommend. */
const BURST = 10;
const INTERVAL_MS = 1_000;
/** A job that would wait longer is rescheduled, because all sources share the job slots. */
const LONGEST_WAIT_MS = 5_000;
/** Maximum spread of the times at which rejected writes are retried. */
const MAX_RETRY_SPREAD_MS = 600_000;
/** Wait after a rate limit without a time, as GitHub recommends. */
const DEFAULT_WAIT_S = 60;
const RETRIES = 3;
const FIRST_BACKOFF_MS = 500;

/** `read` and idempotent `write` requests are retried; a `create` that may have succeeded is not. */
export type RequestKind = 'read' | 'write' | 'create';

export interface Pace {
  /**
   * Runs `attempt` within the rate limits: writes in order, at most ten in a burst and one per second on average, and no
   * request while the Git host has asked us to wait. Retries `unavailable` up to three times with growing, randomized pauses,
   * unless the host was slow; retries `rate_limited` after the time that the host has given, because nothing was done.
   *
   * @throws PlatformError the error of the last attempt; `rate_limited` instead of waiting for more than five seconds
   */
  run<T>(kind: RequestKind, attempt: () => Promise<T>): Promise<T>;
}

export interface PaceDeps {
  /** A monotonic clock, in milliseconds. */
  clock_ms?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
  /** Between 0 and 1. */
  random?: () => number;
  longest_wait_ms?: number;
}

/** Limits the requests of one source to its Git host. */
export function createPace(deps: PaceDeps = {}): Pace {
  const {
    clock_ms = () => performance.now(),
    sleep = delay,
    random = Math.random,
    longest_wait_ms = LONGEST_WAIT_MS,
  } = deps;
  let paused_until = Number.NEGATIVE_INFINITY;
  /** When all writes so far would be done at one per second. Its distance from now is the used part of the burst. */
  let spent_until = Number.NEGATIVE_INFINITY;
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;
  /** The retry time of the last rejected write. */
  let last_retry_at = Number.NEGATIVE_INFINITY;

  async function run<T>(kind: RequestKind, attempt: () => Promise<T>): Promise<T> {
    for (let retry = 0; ; retry += 1) {
      await (kind === 'read' ? waitWhilePaused() : queueWrite());
      const begun = clock_ms();
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof PlatformError) || !canRepeat(error, kind)) throw error;
        if (error.error_class === 'rate_limited') pause(error.retry_after ?? DEFAULT_WAIT_S);
        const is_slow = error.error_class === 'unavailable' && clock_ms() - begun > longest_wait_ms;
        if (retry === RETRIES || is_slow) throw error;
        if (error.error_class === 'unavailable') await sleep(FIRST_BACKOFF_MS * 2 ** retry * (0.5 + random()));
      }
    }
  }

  function pause(seconds: number): void {
    paused_until = Math.max(paused_until, clock_ms() + seconds * 1_000);
    // No burst after a rate limit.
    spent_until = Math.max(spent_until, paused_until + (BURST - 1) * INTERVAL_MS);
  }

  async function waitWhilePaused(): Promise<void> {
    for (let wait = paused_until - clock_ms(); wait > 0; wait = paused_until - clock_ms()) {
      assertShortWait(wait);
      await sleep(wait);
    }
  }

  function queueWrite(): Promise<void> {
    const wait_ms = msUntilSlot() + queued * INTERVAL_MS;
    if (wait_ms > longest_wait_ms) throw toRateLimited(scheduleRetry(wait_ms));
    queued += 1;
    const slot = queue.then(waitForSlot).finally(() => {
      queued -= 1;
    });
    queue = slot.catch(() => {});
    return slot;
  }

  /** Spreads retry times, so that rejected writes do not all come back at once. */
  function scheduleRetry(wait_ms: number): number {
    const now = clock_ms();
    const soonest = now + wait_ms;
    last_retry_at = Math.min(Math.max(last_retry_at + INTERVAL_MS, soonest), soonest + MAX_RETRY_SPREAD_MS);
    return last_retry_at - now;
  }

  async function waitForSlot(): Promise<void> {
    for (let wait = msUntilSlot(); wait > 0; wait = msUntilSlot()) {
      assertShortWait(wait);
      await sleep(wait);
    }
    spent_until = Math.max(spent_until, clock_ms()) + INTERVAL_MS;
  }

  /** Milliseconds until the next write; negative by one second for each further write of the burst. */
  function msUntilSlot(): number {
    const now = clock_ms();
    return Math.max(paused_until, Math.max(spent_until, now) - (BURST - 1) * INTERVAL_MS) - now;
  }

  function assertShortWait(wait_ms: number): void {
    if (wait_ms > longest_wait_ms) throw toRateLimited(wait_ms);
  }

  return { run };
}

function canRepeat({ error_class }: PlatformError, kind: RequestKind): boolean {
  return error_class === 'rate_limited' || (error_class === 'unavailable' && kind !== 'create');
}

function toRateLimited(wait_ms: number): PlatformError {
  return new PlatformError('rate_limited', 'the Git host has reached its rate limit', Math.ceil(wait_ms / 1_000));
}
