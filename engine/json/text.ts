import type { JsonValue } from '../result.ts';
import type { CapturedText } from './capture.ts';
import { SAFE_DIGITS } from './scan-tables.ts';

/**
 * The value of one captured text. Two things differ from `JSON.parse`:
 * - a number that a double cannot hold, and every integer beyond ±(2^53−1), becomes a string of its own digits, so that
 *   two that differ are never taken for equal;
 * - NUL and lone surrogates in strings and keys become U+FFFD, because PostgreSQL's json refuses them.
 */
export function parseText(text: CapturedText): JsonValue {
  let source = text.long_numbers.length > 0 ? quoteLossyNumbers(text) : text.bytes.toString('utf8');
  if (text.suspect) source = replaceUnstorable(source);
  return JSON.parse(source) as JsonValue;
}

/** The text of a captured key or string. */
export function parseString(text: CapturedText): string {
  if (text.escaped) return parseText(text) as string;
  return text.bytes.toString('utf8', 1, text.bytes.length - 1);
}

function quoteLossyNumbers({ bytes, long_numbers }: CapturedText): string {
  const parts: string[] = [];
  let done = 0;
  for (let i = 0; i < long_numbers.length; i += 2) {
    const start = long_numbers[i]!;
    const end = long_numbers[i + 1]!;
    const literal = bytes.toString('latin1', start, end);
    if (isExact(literal)) continue;
    parts.push(bytes.toString('utf8', done, start), `"${literal}"`);
    done = end;
  }
  parts.push(bytes.toString('utf8', done));
  return parts.join('');
}

/** A double says the same as the literal, and no neighbouring integer shares that double. */
function isExact(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return false;
  if (literal.length <= SAFE_DIGITS && Math.abs(value) > SMALLEST) return true;
  return sameDecimal(literal, String(value));
}

/** From here up a double holds any decimal of 15 digits. */
const SMALLEST = 1e-300;

function sameDecimal(a: string, b: string): boolean {
  const left = parseDecimal(a);
  const right = parseDecimal(b);
  return left.digits === right.digits && (left.digits === '' || left.exponent === right.exponent);
}

/** Significant digits without zeros at either end, and the power of ten of the last one; the sign is the same anyway. */
function parseDecimal(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end -= 1;
  let start = 0;
  while (start < end && all[start] === '0') start += 1;
  return { digits: all.slice(start, end), exponent: Number(power) - fraction.length + (all.length - end) };
}

/** Each escape of the text, pairs of surrogates first, so that what is left of them stands alone. */
const ESCAPES = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^u])/g;
const UNSTORABLE = /^\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})$/;

function replaceUnstorable(source: string): string {
  return source.replace(ESCAPES, (found) => (UNSTORABLE.test(found) ? '\\ufffd' : found));
}
