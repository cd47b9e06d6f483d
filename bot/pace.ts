import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from './types.ts';

/** Writes that may come at once; after them one per second, which is what hosts ask of bots. */
const BURST = 10;
const INTERVAL_MS = 1_000;
/** Whoever would wait longer gives their place back and is taken up again later: all sources share the places. */
const LONGEST_WAIT_MS = 5_000;
/** Nobody who is sent away is told to come back so much later than there is room. */
const LATEST_APPOINTMENT_MS = 600_000;
/** What GitHub asks for where it limits without saying how long; others say. */
const UNSAID_WAIT_S = 60;
const RETRIES = 3;
const FIRST_BACKOFF_MS = 500;

/** `read`, and `write` that comes to the same when done twice, are repeated; a `create` that may have been done is not. */
export type Effort = 'read' | 'write' | 'create';

export interface Pace {
  /**
   * Does `attempt` when it is its turn: writes in the order they came, at most ten at once and one per second in the long
   * run, and nothing at all while the host has asked for silence. `unavailable` is tried again up to three times with
   * growing, scattered pauses, unless the host has kept us waiting for long; `rate_limited` once the time is over that the
   * host has named, as nothing was done then.
   *
   * @throws PlatformError what the last attempt threw; `rate_limited` instead of waiting for more than five seconds
   */
  run<T>(effort: Effort, attempt: () => Promise<T>): Promise<T>;
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
  let silent_until = Number.NEGATIVE_INFINITY;
  /** When all writes taken so far would have been made one per second; how far that lies ahead is what the burst has used. */
  let paid_until = Number.NEGATIVE_INFINITY;
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;
  /** When the last of those who were sent away from writing is to come back. */
  let appointed = Number.NEGATIVE_INFINITY;

  async function run<T>(effort: Effort, attempt: () => Promise<T>): Promise<T> {
    for (let retry = 0; ; retry += 1) {
      await (effort === 'read' ? silenceOver() : turnToWrite());
      const begun = clock_ms();
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof PlatformError) || !canRepeat(error, effort)) throw error;
        if (error.error_class === 'rate_limited') silence(error.retry_after ?? UNSAID_WAIT_S);
        const is_slow = error.error_class === 'unavailable' && clock_ms() - begun > longest_wait_ms;
        if (retry === RETRIES || is_slow) throw error;
        if (error.error_class === 'unavailable') await sleep(FIRST_BACKOFF_MS * 2 ** retry * (0.5 + random()));
      }
    }
  }

  function silence(seconds: number): void {
    silent_until = Math.max(silent_until, clock_ms() + seconds * 1_000);
    // Whoever was told off for haste does not begin with a burst.
    paid_until = Math.max(paid_until, silent_until + (BURST - 1) * INTERVAL_MS);
  }

  async function silenceOver(): Promise<void> {
    for (let wait = silent_until - clock_ms(); wait > 0; wait = silent_until - clock_ms()) {
      assertShort(wait);
      await sleep(wait);
    }
  }

  function turnToWrite(): Promise<void> {
    const wait_ms = untilFree() + queued * INTERVAL_MS;
    if (wait_ms > longest_wait_ms) throw tooMany(appointmentAfter(wait_ms));
    queued += 1;
    const turn = queue.then(takeTurn).finally(() => {
      queued -= 1;
    });
    queue = turn.catch(() => {});
    return turn;
  }

  /** A time of their own: all at once, they would find the same throng again. */
  function appointmentAfter(wait_ms: number): number {
    const now = clock_ms();
    const soonest = now + wait_ms;
    appointed = Math.min(Math.max(appointed + INTERVAL_MS, soonest), soonest + LATEST_APPOINTMENT_MS);
    return appointed - now;
  }

  async function takeTurn(): Promise<void> {
    for (let wait = untilFree(); wait > 0; wait = untilFree()) {
      assertShort(wait);
      await sleep(wait);
    }
    paid_until = Math.max(paid_until, clock_ms()) + INTERVAL_MS;
  }

  /** Milliseconds until one more write may be made; below zero by a second for each that may follow it at once. */
  function untilFree(): number {
    const now = clock_ms();
    return Math.max(silent_until, Math.max(paid_until, now) - (BURST - 1) * INTERVAL_MS) - now;
  }

  function assertShort(wait_ms: number): void {
    if (wait_ms > longest_wait_ms) throw tooMany(wait_ms);
  }

  return { run };
}

function canRepeat({ error_class }: PlatformError, effort: Effort): boolean {
  return error_class === 'rate_limited' || (error_class === 'unavailable' && effort !== 'create');
}

function tooMany(wait_ms: number): PlatformError {
  return new PlatformError('rate_limited', 'the host takes no more requests for now', Math.ceil(wait_ms / 1_000));
}

function monotonic(): number {
  return performance.now();
}
