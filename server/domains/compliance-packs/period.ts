import { InvalidInput } from '../../lib/errors.ts';
import type { Period } from './types.ts';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 366;
/** How far the caller's clock can be ahead. */
const GRACE_MS = 60_000;

/**
 * Reads the period of a request.
 *
 * @throws InvalidInput `invalid_period` if it is empty, reversed, or ends in the future
 */
export function parsePeriod(input: { period_start: string; period_end: string }, now: Date): Period {
  const period_start = new Date(input.period_start);
  const period_end = new Date(input.period_end);
  if (period_start >= period_end) {
    throw invalid(`period_start ${input.period_start} is not before period_end ${input.period_end}`);
  }
  if (period_end.getTime() > now.getTime() + GRACE_MS) {
    throw invalid(`period_end ${input.period_end} is in the future; it must be ${now.toISOString()} or earlier`);
  }
  return { period_start, period_end };
}

/**
 * Moves the start into the window of the plan.
 *
 * @param window_days how far back a pack can go; null = without limit
 * @throws InvalidInput `invalid_period` if the whole period is before the window, or the rest is too long
 * @see the contract decisions, D106
 */
export function clampPeriod({ period_start, period_end }: Period, window_days: number | null, now: Date): Period {
  const earliest = window_days === null ? null : new Date(now.getTime() - window_days * DAY_MS);
  if (earliest !== null && period_end <= earliest) {
    throw invalid(
      `the period ends before ${earliest.toISOString()}; the plan covers the last ${window_days} days, so choose a later period`,
    );
  }
  const start = earliest !== null && period_start < earliest ? earliest : period_start;
  if (period_end.getTime() - start.getTime() > LONGEST_DAYS * DAY_MS) {
    throw invalid(`the period is longer than ${LONGEST_DAYS} days; request a pack for each year`);
  }
  return { period_start: start, period_end };
}

function invalid(message: string): InvalidInput {
  return new InvalidInput(message, 'invalid_period');
}
