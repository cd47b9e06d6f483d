/** Reads when something runs: cron in its dialects, rates, calendars and recurrence rules. */
import { readMagnitude } from '../magnitude.ts';

/** How often a schedule runs. */
export interface Recurrence {
  /** 0: never. A date that exists only in leap years counts as a quarter. */
  runs_per_year: number;
  /** It stops by itself: a single time, or years that are listed. */
  ends: boolean;
  /** It runs in every minute of certain hours: `* 4 1 * *`. */
  bursts?: true;
}

const YEAR_SECONDS = 31_536_000;
const NEVER: Recurrence = { runs_per_year: 0, ends: false };
const NICKNAMES = new Map([
  ['@yearly', 1],
  ['@annually', 1],
  ['@monthly', 12],
  ['@weekly', 52],
  ['@daily', 365],
  ['@midnight', 365],
  ['@hourly', 8760],
]);
const PERIODS = new Map([
  ['SECONDLY', YEAR_SECONDS],
  ['MINUTELY', 525_600],
  ['HOURLY', 8760],
  ['DAILY', 365],
  ['WEEKLY', 52],
  ['MONTHLY', 12],
  ['YEARLY', 1],
]);
const MONTH_DAYS = [31, 28.25, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const NAMES = new Map(
  ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
    .map((name, at): [string, number] => [name, at + 1])
    .concat(['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'].map((name, at): [string, number] => [name, at])),
);
const FIELD = /^[0-9A-Z*?/,#-]{1,60}$/;
const MAX_CHARS = 160;

/** Returns how often a schedule runs; null when the text is no schedule. */
export function readRecurrence(value: unknown): Recurrence | null {
  if (typeof value !== 'string' || value.length > MAX_CHARS) return null;
  const text = value.trim();
  const call = /^(cron|rate|at)\(([^()]{1,120})\)$/i.exec(text);
  if (call !== null) return readCall(call[1]!.toLowerCase(), call[2]!.trim());
  return readNickname(text) ?? readRule(text) ?? readCron(text, false);
}

function readCall(name: string, body: string): Recurrence | null {
  if (name === 'at') return { runs_per_year: 1, ends: true };
  return name === 'rate' ? readInterval(body) : readCron(body, true);
}

function readInterval(text: string): Recurrence | null {
  const size = readMagnitude(text);
  if (size === null || size.dimension !== 'time') return null;
  return size.amount > 0 ? { runs_per_year: YEAR_SECONDS / size.amount, ends: false } : NEVER;
}

function readNickname(text: string): Recurrence | null {
  if (text.startsWith('@every ')) return readInterval(text.slice(7));
  const interval = /^every (\d{1,6} [a-z]{1,10})(?: |$)/i.exec(text);
  if (interval !== null) return readInterval(interval[1]!);
  const runs = NICKNAMES.get(text.toLowerCase());
  return runs === undefined ? null : { runs_per_year: runs, ends: false };
}

/** `FREQ=WEEKLY;INTERVAL=2;COUNT=1`, also with `RRULE:` in front. */
function readRule(text: string): Recurrence | null {
  const at = text.indexOf('FREQ=');
  if (at < 0) return null;
  const parts = new Map(
    text
      .slice(at)
      .split(/[;\n]/)
      .map((part) => part.split('=') as [string, string | undefined]),
  );
  const runs = PERIODS.get(parts.get('FREQ') ?? '');
  if (runs === undefined) return null;
  const days = parts.get('FREQ') === 'WEEKLY' ? (parts.get('BYDAY')?.split(',').length ?? 1) : 1;
  const runs_per_year = (runs * days) / (Number(parts.get('INTERVAL') ?? 1) || 1);
  return { runs_per_year, ends: parts.has('COUNT') || parts.has('UNTIL') };
}

/**
 * Five fields from minute to weekday; with a sixth, AWS adds the year at the end, and everyone else the second at the
 * front; with seven, both.
 */
function readCron(text: string, aws: boolean): Recurrence | null {
  const fields = text.toUpperCase().split(/\s+/);
  if (fields.length < 5 || fields.length > 7 || fields.some((field) => !FIELD.test(field))) return null;
  const seconds = fields.length === 7 || (fields.length === 6 && !aws) ? fields.shift()! : '0';
  const [minute, hour, date, month, weekday, year] = fields as [string, string, string, string, string, string?];
  const times = [countValues(seconds, 0, 59), countValues(minute, 0, 59), countValues(hour, 0, 23)];
  const months = listValues(month, 1, 12);
  if (times.includes(0) || months === null) return null;
  const days = countDays(date, months, weekday);
  if (days === null) return null;
  const runs_per_year = times.reduce((product, count) => product * count, days);
  const ends = year !== undefined && /^[0-9,-]+$/.test(year);
  return { runs_per_year, ends, ...(minute === '*' && !isAny(hour) ? { bursts: true } : {}) };
}

/** Days of a year. Cron runs when either the date or the weekday matches, if both are restricted. */
function countDays(date: string, months: ReadonlySet<number>, weekday: string): number | null {
  const total = [...months].reduce((sum, month) => sum + MONTH_DAYS[month - 1]!, 0);
  const dates = isAny(date) ? total : countDates(date, months);
  const share = isAny(weekday) ? 1 : countWeekdays(weekday);
  if (dates === null || share === null) return null;
  if (isAny(date)) return total * share;
  return isAny(weekday) ? dates : Math.max(dates, total * share);
}

function countDates(date: string, months: ReadonlySet<number>): number | null {
  if (/^L(?:-\d{1,2})?$|^L?W$|^\d{1,2}W$/.test(date)) return months.size;
  const dates = listValues(date, 1, 31);
  if (dates === null) return null;
  let count = 0;
  for (const month of months) for (const day of dates) count += countDate(day, MONTH_DAYS[month - 1]!);
  return count;
}

function countDate(day: number, length: number): number {
  return day <= length ? 1 : day - length < 1 ? 0.25 : 0;
}

/** The share of days. `6#2` and `6L` are one day of a month. */
function countWeekdays(weekday: string): number | null {
  if (/^[0-7A-Z]{1,3}#[1-5]$|^[0-7]L$/.test(weekday)) return 12 / 365.25;
  const days = listValues(weekday, 0, 7);
  return days === null ? null : Math.min(days.size, 7) / 7;
}

function isAny(field: string): boolean {
  return field === '*' || field === '?';
}

function countValues(field: string, least: number, most: number): number {
  return listValues(field, least, most)?.size ?? 0;
}

/** The values of a field; null when it is not valid. */
function listValues(field: string, least: number, most: number): Set<number> | null {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [range, step = '1', more] = part.split('/') as [string, string?, string?];
    const bounds = readRange(range, part.includes('/') ? most : null, least, most);
    const by = Number(step);
    if (bounds === null || more !== undefined || !Number.isInteger(by) || by < 1) return null;
    for (let value = bounds[0]; value <= bounds[1]; value += by) values.add(value);
  }
  return values;
}

function readRange(range: string, open: number | null, least: number, most: number): [number, number] | null {
  if (isAny(range)) return [least, most];
  const [from, to, more] = range.split('-').map(readValue) as [number | null, (number | null)?, number?];
  if (from === null || to === null || more !== undefined) return null;
  const end = to ?? open ?? from;
  if (from < least || from > most || end > most) return null;
  // A range such as FRI-MON goes over the end of the week.
  return end < from ? [least, most] : [from, end];
}

function readValue(text: string): number | null {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  return NAMES.get(text) ?? null;
}
