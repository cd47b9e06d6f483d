import type { MaybeJson } from '../../../changes/values.ts';
import { readMagnitude } from '../magnitude.ts';

const NEVER = new Set(['unlimited', 'never', 'forever', 'infinite', 'no_limit', 'nolimit', 'no-limit']);
/** Seconds of the units that names of arguments end in. */
const UNITS: readonly (readonly [word: string, seconds: number])[] = [
  ['ms', 1e-3],
  ['millisecond', 1e-3],
  ['milli', 1e-3],
  ['second', 1],
  ['sec', 1],
  ['minute', 60],
  ['min', 60],
  ['hour', 3600],
  ['hr', 3600],
  ['day', 86_400],
  ['week', 604_800],
  ['month', 2_592_000],
  ['year', 31_536_000],
];

export const DAY = 86_400;
/** Of a duration, unlike a quantity, a bare `m` is minutes. */
const MINUTES = /^(\d{1,9})m$/;

/** Whether an argument is not set: providers also write empty text. */
export function isUnset(value: MaybeJson): boolean {
  return value === undefined || value === null || value === '' || value === 'null';
}

/** Whether a value says in words or as -1 that there is no limit. */
export function isUnlimited(value: MaybeJson): boolean {
  return Number(value) === -1 || (typeof value === 'string' && NEVER.has(value.toLowerCase()));
}

/** The number of a value without regard to its unit: 0 for `0`, `0%`, `0Gi` and `PT0S`. Null if it has none. */
export function readNumber(value: MaybeJson): number | null {
  return readMagnitude(value)?.amount ?? null;
}

/** Seconds of a duration; a bare number has the unit that the words of its name say, otherwise `unit`. */
export function readSeconds(value: MaybeJson, words: ReadonlySet<string>, unit: number): number | null {
  const minutes = typeof value === 'string' ? MINUTES.exec(value.trim())?.[1] : undefined;
  if (minutes !== undefined) return Number(minutes) * 60;
  const magnitude = readMagnitude(value);
  if (magnitude === null) return null;
  if (magnitude.dimension === 'time') return magnitude.amount;
  if (magnitude.dimension !== 'count') return null;
  return magnitude.amount * (UNITS.find(([word]) => words.has(word))?.[1] ?? unit);
}
