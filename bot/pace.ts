import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from './types.ts';

/** Writes that may come at once; after them one per second, which is what hosts ask of bots. */
const BURST = 10;
const INTERVAL_MS = 1_000;
/** A job that would sleep longer gives its place back and is taken up again later. */
const LONGEST_WAIT_MS = 60_000;
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
   * growing, scattered pauses; `rate_limited` once the time is over that the host has named, as nothing was done then.
   *
   * @throws PlatformError what the last attempt threw; `rate_limited` instead of waiting for more than a minute
   */
  run<T>(effort: Effort, attempt: () => Promise<T>): Promise<T>;
}

export interface PaceDeps {
  /** Milliseconds of a clock that never goes back. */
  clock_ms?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
  /** Between 0 and 1. */
  random?: () => number;
}

/** The pace of one source at its host. */
export function createPace({ clock_ms = monotonic, sleep = delay, random = Math.random }: PaceDeps = {}): Pace {
  let silent_until = Number.NEGATIVE_INFINITY;
  /** When all writes taken so far would have been made one per second; how far that lies ahead is what the burst has used. */
  let paid_until = Number.NEGATIVE_INFINITY;
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;

  async function run<T>(effort: Effort, attempt: () => Promise<T>): Promise<T> {
    for (let retry = 0; ; retry += 1) {
      await (effort === 'read' ? silenceOver() : turnToWrite());
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof PlatformError) || !canRepeat(error, effort)) throw error;
        if (error.error_class === 'rate_limited') silence(error.retry_after ?? UNSAID_WAIT_S);
        if (retry === RETRIES) throw error;
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
    assertShort(untilFree() + queued * INTERVAL_MS);
    queued += 1;
    const turn = queue.then(takeTurn).finally(() => {
      queued -= 1;
    });
    queue = turn.catch(() => {});
    return turn;
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

  return { run };
}

function canRepeat({ error_class }: PlatformError, effort: Effort): boolean {
  return error_class === 'rate_limited' || (error_class === 'unavailable' && effort !== 'create');
}

function assertShort(wait_ms: number): void {
  if (wait_ms <= LONGEST_WAIT_MS) return;
  throw new PlatformError('rate_limited', 'the host takes no more requests for now', Math.ceil(wait_ms / 1_000));
}

function monotonic(): number {
  return performance.now();
}
