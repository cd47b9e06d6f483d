/** Tests of values, as the tables of moves write them. */
import { type Magnitude, readMagnitude } from '../../meaning/magnitude.ts';
import type { Value } from '../types.ts';
import { isEmpty, strings, text } from '../values.ts';

/**
 * One test of a value; a list of tests passes if one of them does.
 *
 * - `null`: absent or empty; `"*"`: set
 * - `true`, `7`, `"deny"`: this value, in any case; booleans and numbers also as text; `"fail_open"` is also
 *   `fail-open`, `fail open` and `failopen`
 * - `"!deny"`: set to anything else
 * - `"=*"`: exactly the text after the sign, which can be a sign itself
 * - `"<5"`, `"<=5min"`, `">1Gi"`, `">=90%"`: an amount, with or without a unit
 * - `"~part"`: contains the text, in any case; `"^start"`, `"$end"`: begins or ends with it
 */
export type ValueTest = string | number | boolean | null;

export type Check = (value: Value) => boolean;

const AMOUNT = /^([<>]=?)(.{1,40})$/;

/** Compiles tests. For a list, one of its items must pass. */
export function compileTests(tests: readonly ValueTest[]): Check {
  const checks = tests.map(compileTest);
  const takes_empty = tests.includes(null);
  return (value) => {
    if (isEmpty(value)) return takes_empty;
    if (Array.isArray(value)) return value.some((item) => checks.some((check) => check(item)));
    return checks.some((check) => check(value));
  };
}

function compileTest(test: ValueTest): Check {
  if (test === null) return isEmpty;
  if (typeof test !== 'string') return isText(String(test));
  if (test === '*') return () => true;
  const [, sign, limit] = AMOUNT.exec(test) ?? [];
  if (sign !== undefined && limit !== undefined) return compileAmount(sign, limit);
  const rest = test.slice(1).toLowerCase();
  switch (test[0]) {
    case '!': {
      const isNamed = isText(rest);
      return (value) => !isNamed(value);
    }
    case '=':
      return isText(rest);
    case '~':
      return (value) => lower(value).includes(rest);
    case '^':
      return (value) => lower(value).startsWith(rest);
    case '$':
      return (value) => lower(value).endsWith(rest);
    default:
      return isText(test.toLowerCase());
  }
}

function isText(expected: string): Check {
  const joined = isPhrase(expected) ? join(expected) : null;
  return (value) => {
    if (typeof value === 'object') return false;
    const found = lower(value);
    return found === expected || (joined !== null && isPhrase(found) ? join(found) === joined : found === joined);
  };
}

/** Several words: services write them with underscores, hyphens, blanks, or none of them. */
function isPhrase(words: string): boolean {
  return PHRASE.test(words);
}

function join(words: string): string {
  return words.replace(SEPARATOR, '');
}

const PHRASE = /^[a-z]{1,40}(?:[-_ ][a-z]{1,40}){1,8}$/;
const SEPARATOR = /[-_ ]/g;

function lower(value: Value): string {
  return text(value).toLowerCase();
}

function compileAmount(sign: string, limit: string): Check {
  const bound = readMagnitude(limit);
  if (bound === null) throw new Error(`not an amount: ${limit}`);
  return (value) => {
    const found = readAmount(value, bound.dimension);
    if (found === null || (found.dimension !== bound.dimension && bound.dimension !== 'count')) return false;
    const difference = found.amount - bound.amount;
    if (difference === 0) return sign.length === 2;
    return difference < 0 === (sign[0] === '<');
  };
}

const BARE_M = /^\d{1,9}m$/;

/**
 * Reads an amount; a bare `m` means minutes next to times, and thousandths next to counts.
 *
 * @param dimension of the amount that it is compared with
 */
export function readAmount(value: Value, dimension?: Magnitude['dimension']): Magnitude | null {
  if (typeof value === 'object') return null;
  if (typeof value !== 'string' || !BARE_M.test(value)) return readMagnitude(value);
  return readMagnitude(dimension === 'count' ? Number(value.slice(0, -1)) / 1000 : `${value}in`);
}

const MAX_ENTRIES = 5_000;

/** The entries of a list, the keys and values of a map, or the lines of a text. */
export function listEntries(value: Value): string[] {
  if (typeof value === 'string') return value.split(/[\n,]/, MAX_ENTRIES).map((line) => line.trim());
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'string')) return strings(value);
    return value.slice(0, MAX_ENTRIES).map((item) => (typeof item === 'object' ? JSON.stringify(item) : text(item)));
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, inner]) =>
      typeof inner === 'object' ? `${key}=${JSON.stringify(inner)}` : `${key}=${text(inner)}`,
    );
  return isEmpty(value) ? [] : [text(value)];
}
