/** Waits before the attempts after the first one. @see the contract decisions, D104 */
const WAITS_MS = [30_000, 120_000, 600_000];
const JITTER = 0.2;

/** Attempts to build a pack, with the first one. */
export const MOST_ATTEMPTS = 1 + WAITS_MS.length;

/**
 * How long to wait after a failed attempt; null if it was the last one.
 *
 * @param attempts so far
 * @param random from 0 to 1
 */
export function nextWait(attempts: number, random: number): number | null {
  const wait_ms = WAITS_MS[attempts - 1];
  return wait_ms === undefined ? null : Math.round(wait_ms * (1 + JITTER * (2 * random - 1)));
}
