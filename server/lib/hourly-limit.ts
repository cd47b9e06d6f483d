import type { ErrorClass } from './error-classes.ts';
import { TooManyRequests } from './errors.ts';

const HOUR_MS = 3_600_000;

/** A limit of the form "at most N per hour", counted over the hour that ends now. */
export interface HourlyLimit {
  /** Allowed events per hour; 0 allows none. */
  most: number;
  /** The text of the error. */
  message: string;
  error_class?: ErrorClass;
}

/** The range that a store searches: the nth newest event after `since`. */
export interface NthNewest {
  nth: number;
  since: Date;
}

/** The start of the hour that ends at `now`. */
export function hourBefore(now: Date): Date {
  return new Date(now.getTime() - HOUR_MS);
}

/**
 * Rejects an event if `most` events happened in the hour before it.
 *
 * @param findNth when the nth newest event after `since` happened; undefined if there were fewer
 * @throws TooManyRequests; `retry_after` is the time until the nth newest event is an hour old
 */
export async function assertHourlyLimit(
  { most, message, error_class }: HourlyLimit,
  now: Date,
  findNth: (range: NthNewest) => Promise<Date | undefined>,
): Promise<void> {
  const nth_newest = most === 0 ? now : await findNth({ nth: most, since: hourBefore(now) });
  if (nth_newest !== undefined) throw new TooManyRequests(message, secondsUntilRoom(nth_newest, now), error_class);
}

/** Whole seconds, at least 1. */
function secondsUntilRoom(nth_newest: Date, now: Date): number {
  return Math.max(1, Math.ceil((nth_newest.getTime() + HOUR_MS - now.getTime()) / 1000));
}
