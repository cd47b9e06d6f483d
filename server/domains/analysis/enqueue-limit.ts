/** @see the interface specification, Limits: analyze enqueue rate, per org, every plan */
export const ANALYSES_PER_HOUR = 30;
export const WINDOW_MS = 3_600_000;

/**
 * Whole seconds until the window has room again, at least 1.
 *
 * @param nth_newest when the 30th newest analysis of the window was submitted
 */
export function secondsUntilRoom(nth_newest: Date, now: Date): number {
  return Math.max(1, Math.ceil((nth_newest.getTime() + WINDOW_MS - now.getTime()) / 1000));
}
