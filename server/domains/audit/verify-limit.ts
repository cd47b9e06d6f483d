/** @see the interface specification, Limits: org audit verify */
export const VERIFICATIONS_PER_HOUR = 10;
export const WINDOW_MS = 3_600_000;

/**
 * Whole seconds until the next verification is allowed, at least 1.
 *
 * @param nth_newest when the 10th newest verification of the window was requested
 */
export function secondsUntilRoom(nth_newest: Date, now: Date): number {
  return Math.max(1, Math.ceil((nth_newest.getTime() + WINDOW_MS - now.getTime()) / 1000));
}
