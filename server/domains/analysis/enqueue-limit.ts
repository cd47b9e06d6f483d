export const WINDOW_MS = 3_600_000;

/**
 * Whole seconds until the next submission is allowed, at least 1.
 *
 * @param nth_newest when the oldest of the allowed number of analyses was submitted
 */
export function secondsUntilRoom(nth_newest: Date, now: Date): number {
  return Math.max(1, Math.ceil((nth_newest.getTime() + WINDOW_MS - now.getTime()) / 1000));
}
