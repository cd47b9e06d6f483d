import { setTimeout as delay } from 'node:timers/promises';

/** The window of Resource Graph is 5 seconds; a longer one is not waited for here. */
const LONGEST_WAIT_MS = 60_000;

export interface QuotaDeps {
  /** A monotonic clock, in milliseconds. */
  clock_ms?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Quota {
  /** Waits until the quota allows another query. */
  wait(signal: AbortSignal): Promise<void>;
  /** Reads what a response says about the quota. */
  update(headers: Headers): void;
}

/**
 * Keeps queries within the quota that Resource Graph announces in each response, so that they are not rejected. All
 * parts of a scan share it.
 *
 * @see Microsoft, Guidance for throttled requests in Azure Resource Graph
 */
export function createQuota(deps: QuotaDeps = {}): Quota {
  const { clock_ms = () => performance.now(), sleep = (ms, signal) => delay(ms, undefined, { signal }) } = deps;
  let blocked_until = Number.NEGATIVE_INFINITY;

  return {
    async wait(signal) {
      for (let wait = blocked_until - clock_ms(); wait > 0; wait = blocked_until - clock_ms()) {
        await sleep(wait, signal);
      }
    },
    update(headers) {
      const seconds = readQuotaReset(headers);
      if (headers.get('x-ms-user-quota-remaining') !== '0' || seconds === undefined) return;
      blocked_until = Math.max(blocked_until, clock_ms() + Math.min(seconds * 1_000, LONGEST_WAIT_MS));
    },
  };
}

/** Seconds until the quota is reset, from `x-ms-user-quota-resets-after`, such as `00:00:05`; undefined if missing. */
export function readQuotaReset(headers: Headers): number | undefined {
  const text = headers.get('x-ms-user-quota-resets-after') ?? '';
  const [, hours, minutes, seconds] = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,7})?$/.exec(text) ?? [];
  if (hours === undefined) return undefined;
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}
