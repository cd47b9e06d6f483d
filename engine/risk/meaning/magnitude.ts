import type { MaybeJson } from '../../changes/values.ts';

/** An amount in the base unit of its dimension. Amounts of different dimensions cannot be compared. */
export interface Magnitude {
  amount: number;
  /** `time` in seconds, `bytes`, `share` in percent, `count` without a unit. */
  dimension: 'time' | 'bytes' | 'share' | 'count';
}

const NUMBER_WITH_UNIT = /^([+-]?\d{1,15}(?:\.\d{1,9})?)\s{0,3}(%|[A-Za-zµ]{1,12})?$/;
const ISO_DURATION =
  /^P(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9}(?:\.\d{1,6})?)S)?)?$/;
const CLOCK_DURATION = /^(?:(\d{1,5})\.)?(\d{1,2}):(\d\d)(?::(\d\d))?$/;
const PARTS = /(\d{1,12}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h|d|w|y)/g;
const COMPOUND = /^(?:\d{1,12}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h|d|w|y)){2,8}$/;

const DAY = 86_400;
const SECONDS = new Map<string, number>([
  ...([
    ['ns', 1e-9],
    ['us', 1e-6],
    ['µs', 1e-6],
    ['ms', 1e-3],
  ] as const),
  ...([
    ['s', 1],
    ['sec', 1],
    ['secs', 1],
    ['second', 1],
    ['seconds', 1],
  ] as const),
  ...([
    ['min', 60],
    ['mins', 60],
    ['minute', 60],
    ['minutes', 60],
  ] as const),
  ...([
    ['h', 3600],
    ['hr', 3600],
    ['hrs', 3600],
    ['hour', 3600],
    ['hours', 3600],
  ] as const),
  ...([
    ['d', DAY],
    ['day', DAY],
    ['days', DAY],
    ['w', 7 * DAY],
    ['week', 7 * DAY],
    ['weeks', 7 * DAY],
  ] as const),
  ...([
    ['month', 30 * DAY],
    ['months', 30 * DAY],
    ['y', 365 * DAY],
    ['yr', 365 * DAY],
  ] as const),
  ...([
    ['year', 365 * DAY],
    ['years', 365 * DAY],
  ] as const),
]);
const BYTES = new Map<string, number>([
  ...([
    ['b', 1],
    ['kb', 1e3],
    ['mb', 1e6],
    ['gb', 1e9],
    ['tb', 1e12],
    ['pb', 1e15],
  ] as const),
  ...([
    ['ki', 2 ** 10],
    ['mi', 2 ** 20],
    ['gi', 2 ** 30],
    ['ti', 2 ** 40],
    ['pi', 2 ** 50],
  ] as const),
  ...([
    ['kib', 2 ** 10],
    ['mib', 2 ** 20],
    ['gib', 2 ** 30],
    ['tib', 2 ** 40],
  ] as const),
  ...([
    ['g', 1e9],
    ['t', 1e12],
  ] as const),
]);

/**
 * Reads the size of a value: numbers, numeric text, durations (`30d`, `1h30m`, `PT5M`, `12 hours`), sizes (`512Mi`,
 * `10GB`) and percentages.
 *
 * @returns null when the value has no size. A bare `m` is minutes in a duration and thousandths in a quantity, so it is
 *   read only next to another part.
 */
export function readMagnitude(value: MaybeJson): Magnitude | null {
  if (typeof value === 'number') return { amount: value, dimension: 'count' };
  if (typeof value !== 'string' || value.length === 0 || value.length > 40) return null;
  const text = value.trim();
  return readPlain(text) ?? readIso(text) ?? readCompound(text) ?? readClock(text);
}

function readPlain(text: string): Magnitude | null {
  const match = NUMBER_WITH_UNIT.exec(text);
  if (match === null) return null;
  const amount = Number(match[1]);
  const unit = match[2]?.toLowerCase();
  if (unit === undefined) return { amount, dimension: 'count' };
  if (unit === '%' || unit === 'percent') return { amount, dimension: 'share' };
  const seconds = SECONDS.get(unit);
  if (seconds !== undefined) return { amount: amount * seconds, dimension: 'time' };
  const bytes = BYTES.get(unit);
  return bytes === undefined ? null : { amount: amount * bytes, dimension: 'bytes' };
}

function readIso(text: string): Magnitude | null {
  const match = text.length > 1 ? ISO_DURATION.exec(text) : null;
  if (match === null) return null;
  const units = [365 * DAY, 30 * DAY, 7 * DAY, DAY, 3600, 60, 1];
  const amount = units.reduce((sum, unit, at) => sum + Number(match[at + 1] ?? 0) * unit, 0);
  return { amount, dimension: 'time' };
}

function readCompound(text: string): Magnitude | null {
  if (!COMPOUND.test(text)) return null;
  let amount = 0;
  for (const [, count, unit] of text.matchAll(PARTS)) {
    amount += Number(count) * (unit === 'm' ? 60 : (SECONDS.get(unit as string) ?? 0));
  }
  return { amount, dimension: 'time' };
}

/** `1.02:30:00`: days, hours, minutes and seconds, as Azure writes durations. */
function readClock(text: string): Magnitude | null {
  const match = CLOCK_DURATION.exec(text);
  if (match === null || match[4] === undefined) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return { amount: days * DAY + hours * 3600 + minutes * 60 + seconds, dimension: 'time' };
}
