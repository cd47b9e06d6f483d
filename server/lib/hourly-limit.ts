import type { ErrorClass } from './error-classes.ts';
import { TooManyRequests } from './errors.ts';
import { retryAfterUntil } from './retry-after.ts';

const HOUR_MS = 3_600_000;

/** A limit of the form "at most N per hour", counted over the hour that ends now; or over another time. */
export interface HourlyLimit {
  /** Allowed events per hour; 0 allows none. */
  most: number;
  /** Counted time; an hour by default. */
  window_ms?: number;
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
 * Rejects an event if `most` events happened in the time before it.
 *
 * @param findNth when the nth newest event after `since` happened; undefined if there were fewer
 * @throws TooManyRequests; `retry_after` is the time until the nth newest event is old enough
 */
export async function assertHourlyLimit(
  { most, message, error_class, window_ms = HOUR_MS }: HourlyLimit,
  now: Date,
  findNth: (range: NthNewest) => Promise<Date | undefined>,
): Promise<void> {
  const nth_newest = most === 0 ? now : await findNth({ nth: most, since: new Date(now.getTime() - window_ms) });
  if (nth_newest === undefined) return;
  const room_at = new Date(nth_newest.getTime() + window_ms);
  throw new TooManyRequests(message, retryAfterUntil(room_at, now), error_class);
}
