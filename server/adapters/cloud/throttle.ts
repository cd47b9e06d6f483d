import { setTimeout as delay } from 'node:timers/promises';
import { CloudError } from './types.ts';

/** Attempts of one request that the cloud throttles; with every third request rejected, one in two million fails. */
const MAX_ATTEMPTS = 12;
/** Attempts of one request that fails in another way that may pass, such as a server error. */
const MAX_OTHER_ATTEMPTS = 3;
const MAX_TOTAL_MS = 300_000;
const MAX_RETRY_AFTER_S = 60;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 20_000;

/** Requests per second after the first rejection; until then a lane has no limit of its own. */
const FIRST_RATE = 10;
const MIN_RATE = 0.5;
/** A lane that has recovered to this rate has no limit again. */
const FREE_RATE = 50;
/** How many requests per second a lane gains with each request that succeeds. */
const RECOVERY = 0.5;

export interface Throttle {
  /**
   * Runs `attempt` at the pace that the service accepts in this region. A request that the cloud throttles halves the
   * pace and is repeated after a growing, randomized pause, or after the time that the cloud asked for; each success
   * raises the pace again. Server errors and timeouts that may pass are repeated twice.
   *
   * @param attempt throws CloudError; code `throttled` is repeated, others only if they are retryable
   * @throws CloudError the error of the last attempt, after 12 attempts or 5 minutes, or at once if the cloud asks for a
   * wait of more than a minute; the reason of `signal` if it is aborted
   */
  run<T>(service: string, region: string | null, attempt: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export interface ThrottleDeps {
  /** A monotonic clock, in milliseconds. */
  clock_ms?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Between 0 and 1. */
  random?: () => number;
}

/** The pace of one service in one region. Clouds count requests there, so other regions and services keep theirs. */
interface Lane {
  /** Requests per second. */
  rate: number;
  next_at: number;
  paused_until: number;
  slowed_at: number;
}

/** Adapts the requests of one account to what each service accepts. */
export function createThrottle(deps: ThrottleDeps = {}): Throttle {
  const { clock_ms = () => performance.now(), sleep = sleepFor, random = Math.random } = deps;
  const lanes = new Map<string, Lane>();

  async function run<T>(service: string, region: string | null, attempt: () => Promise<T>, signal: AbortSignal) {
    const lane = findLane(lanes, `${service}/${region ?? ''}`);
    const deadline = clock_ms() + MAX_TOTAL_MS;
    for (let count = 1; ; count += 1) {
      await waitForSlot(lane, signal);
      const started_at = clock_ms();
      try {
        const result = await attempt();
        speedUp(lane);
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof CloudError) || !isTransient(error)) throw error;
        if (error.fault.code === 'throttled') slowDown(lane, started_at, error.retry_after_s ?? 0);
        const wait_ms = readWait(error, count);
        if (isLast(error, count) || clock_ms() + wait_ms > deadline) throw error;
        await sleep(wait_ms, signal);
      }
    }
  }

  async function waitForSlot(lane: Lane, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const slot = Math.max(clock_ms(), lane.next_at);
    lane.next_at = slot + 1_000 / lane.rate;
    for (let until = slot; until > clock_ms(); until = lane.paused_until) await sleep(until - clock_ms(), signal);
  }

  /** Requests that started before the last slowdown say nothing about the new pace. */
  function slowDown(lane: Lane, started_at: number, retry_after_s: number): void {
    const now = clock_ms();
    const pause_s = Math.min(retry_after_s, MAX_RETRY_AFTER_S);
    lane.paused_until = Math.max(lane.paused_until, now + pause_s * 1_000);
    lane.next_at = Math.max(lane.next_at, lane.paused_until);
    if (started_at < lane.slowed_at) return;
    lane.slowed_at = now;
    lane.rate = lane.rate === Number.POSITIVE_INFINITY ? FIRST_RATE : Math.max(MIN_RATE, lane.rate / 2);
  }

  function readWait({ retry_after_s }: CloudError, count: number): number {
    if (retry_after_s !== undefined) return retry_after_s * 1_000 * (1 + random() / 10);
    return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (count - 1)) * (0.5 + random());
  }

  return { run };
}

function findLane(lanes: Map<string, Lane>, key: string): Lane {
  const known = lanes.get(key);
  if (known !== undefined) return known;
  const lane = { rate: Number.POSITIVE_INFINITY, next_at: 0, paused_until: 0, slowed_at: Number.NEGATIVE_INFINITY };
  lanes.set(key, lane);
  return lane;
}

function speedUp(lane: Lane): void {
  lane.rate += RECOVERY;
  if (lane.rate >= FREE_RATE) lane.rate = Number.POSITIVE_INFINITY;
}

function isTransient({ fault: { code, retryable } }: CloudError): boolean {
  return code === 'throttled' || (retryable && (code === 'internal' || code === 'timeout'));
}

function isLast({ fault, retry_after_s = 0 }: CloudError, count: number): boolean {
  if (retry_after_s > MAX_RETRY_AFTER_S) return true;
  return count >= (fault.code === 'throttled' ? MAX_ATTEMPTS : MAX_OTHER_ATTEMPTS);
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
