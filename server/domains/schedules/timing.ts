import { createHash } from 'node:crypto';
import type { CronExpression } from './cron.ts';

const MINUTE_MS = 60_000;
const LONGEST_DELAY_MS = 10 * MINUTE_MS;
/** The part of the interval over which schedules are spread. */
const SPREAD = 0.1;
/** Missed runs are counted up to this number. */
const MOST_COUNTED = 100;

/**
 * By how much a schedule runs after the minute of its expression, so that the many schedules of a full hour do not start
 * at once. It depends only on the schedule's ID and interval.
 *
 * @returns whole seconds, in milliseconds; less than 10% of the interval, and less than ten minutes
 */
export function findDelay(id: string, interval_minutes: number): number {
  const window_s = Math.floor(Math.min(interval_minutes * MINUTE_MS * SPREAD, LONGEST_DELAY_MS) / 1_000);
  const hash = createHash('sha256').update(id).digest().readUInt32BE();
  return Math.floor((hash / 2 ** 32) * window_s) * 1_000;
}

/** The first due time strictly after `after`; undefined if the expression does not match within four years. */
export function findNextDue(cron: CronExpression, delay_ms: number, after: Date): Date | undefined {
  const match = cron.next(new Date(after.getTime() - delay_ms));
  return match && new Date(match.getTime() + delay_ms);
}

/** How many due times lie after `due_at` and not after `now`; at most 100 are counted. */
export function countMissed(cron: CronExpression, delay_ms: number, due_at: Date, now: Date): number {
  let missed = 0;
  let next = findNextDue(cron, delay_ms, due_at);
  while (next !== undefined && next <= now && missed < MOST_COUNTED) {
    missed += 1;
    next = findNextDue(cron, delay_ms, next);
  }
  return missed;
}
