import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from './types.ts';

/** Writes that may come at once; after them one per second, which is what hosts ask of bots. */
const BURST = 10;
const INTERVAL_MS = 1_000;
/** Whoever would wait longer gives their place back and is taken up again later: all sources share the places. */
const LONGEST_WAIT_MS = 5_000;
/** Nobody who is sent away is told to come back so much later than there is room. */
const MAX_RETRY_SPREAD_MS = 600_000;
/** What GitHub asks for where it limits without saying how long; others say. */
const DEFAULT_WAIT_S = 60;
const RETRIES = 3;
const FIRST_BACKOFF_MS = 500;

/** `read`, and `write` that comes to the same when done twice, are repeated; a `create` that may have been done is not. */
export type RequestKind = 'read' | 'write' | 'create';

export interface Pace {
  /**
   * Does `attempt` when it is its turn: writes in the order they came, at most ten at once and one per second in the long
   * run, and nothing at all while the host has asked for silence. `unavailable` is tried again up to three times with
   * growing, scattered pauses, unless the host has kept us waiting for long; `rate_limited` once the time is over that the
   * host has named, as nothing was done then.
   *
   * @throws PlatformError what the last attempt threw; `rate_limited` instead of waiting for more than five seconds
   */
  run<T>(kind: RequestKind, attempt: () => Promise<T>): Promise<T>;
}

export interface PaceDeps {
  /** Milliseconds of a clock that never goes back. */
  clock_ms?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
  /** Between 0 and 1. */
  random?: () => number;
  longest_wait_ms?: number;
}

/** The pace of one source at its host. */
export function createPace(deps: PaceDeps = {}): Pace {
  const { clock_ms = monotonic, sleep = delay, random = Math.random, longest_wait_ms = LONGEST_WAIT_MS } = deps;
  let paused_until = Number.NEGATIVE_INFINITY;
  /** When all writes taken so far would have been made one per second; how far that lies ahead is what the burst has used. */
  let spent_until = Number.NEGATIVE_INFINITY;
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;
  /** When the last of those who were sent away from writing is to come back. */
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
    // Whoever was told off for haste does not begin with a burst.
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

  /** A time of their own: all at once, they would find the same throng again. */
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

  /** Milliseconds until one more write may be made; below zero by a second for each that may follow it at once. */
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
  return new PlatformError('rate_limited', 'the host takes no more requests for now', Math.ceil(wait_ms / 1_000));
}

function monotonic(): number {
  return performance.now();
}
