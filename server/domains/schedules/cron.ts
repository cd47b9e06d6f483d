import { Cron } from 'croner';
import { type CronFields, invalidCron, parseCronFields } from './cron-fields.ts';

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
/** How far ahead the shortest interval is looked for. */
const INTERVAL_DAYS = 366;
/** An expression must match within four years, which contain a leap day. */
const HORIZON_MS = 1_461 * DAY_MS;
/** Many schedules have the same expression, and reading one takes longer than finding its next time. */
const parsed = new Map<string, CronExpression>();
const MOST_PARSED = 1_000;

export interface CronExpression {
  /**
   * The next time that matches, strictly after `after`; undefined if none does within four years.
   *
   * @returns a whole minute, in UTC
   */
  next(after: Date): Date | undefined;
  /** The smallest gap between two matches that follow each other within 366 days after `from`, in minutes. */
  findInterval(from: Date): number;
}

/**
 * Reads a cron expression in UTC.
 *
 * @throws InvalidInput `invalid_cron` that says what is wrong
 * @see the contract decisions, D52
 */
export function parseCron(expression: string): CronExpression {
  const known = parsed.get(expression);
  if (known !== undefined) return known;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  const read = readCron(expression);
  parsed.set(expression, read);
  return read;
}

function readCron(expression: string): CronExpression {
  const fields = parseCronFields(expression);
  const cron = toCroner(fields);
  return {
    next(after) {
      const found = cron.nextRun(after);
      return found === null || found.getTime() - after.getTime() > HORIZON_MS ? undefined : found;
    },
    findInterval: (from) => findInterval(fields, from),
  };
}

/**
 * The same for an expression that a caller wants to use.
 *
 * @throws InvalidInput `invalid_cron`, also if it does not match within four years
 */
export function parseUsableCron(expression: string, now: Date): CronExpression {
  const cron = parseCron(expression);
  if (cron.next(now) === undefined) {
    throw invalidCron(expression, 'no date matches within four years; check the days of the month and the months');
  }
  return cron;
}

/** Every field is passed as a list of numbers, so that only this file decides what an expression means. */
function toCroner({ minutes, hours, days_of_month, months, days_of_week, needs_both_days }: CronFields): Cron {
  const fields = [
    minutes.join(),
    hours.join(),
    // A star does not restrict the days, so that the other field decides.
    needs_both_days && days_of_month.length === 31 ? '*' : days_of_month.join(),
    months.join(),
    needs_both_days && days_of_week.length === 7 ? '*' : days_of_week.join(),
  ];
  return new Cron(fields.join(' '), { mode: '5-part', utcOffset: 0, domAndDow: needs_both_days });
}

/** In UTC every day has the same minutes, so that days are compared instead of thousands of matches. */
function findInterval(fields: CronFields, from: Date): number {
  const times = fields.hours.flatMap((hour) => fields.minutes.map((minute) => hour * 60 + minute));
  const [first = 0] = times;
  const around = DAY_MINUTES - (times.at(-1) ?? 0) + first;
  const midnight = from.getTime() - (from.getTime() % DAY_MS);
  let shortest = Number.POSITIVE_INFINITY;
  let last_day: number | undefined;
  for (let day = 0; day <= INTERVAL_DAYS; day += 1) {
    if (!isDay(fields, new Date(midnight + day * DAY_MS))) continue;
    if (last_day === undefined) shortest = findSmallestGap(times);
    else shortest = Math.min(shortest, (day - last_day - 1) * DAY_MINUTES + around);
    last_day = day;
  }
  return Math.min(shortest, INTERVAL_DAYS * DAY_MINUTES);
}

function findSmallestGap(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return Math.min(Number.POSITIVE_INFINITY, ...gaps);
}

function isDay({ days_of_month, months, days_of_week, needs_both_days }: CronFields, date: Date): boolean {
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const is_day_of_month = days_of_month.includes(date.getUTCDate());
  const is_day_of_week = days_of_week.includes(date.getUTCDay());
  return needs_both_days ? is_day_of_month && is_day_of_week : is_day_of_month || is_day_of_week;
}
