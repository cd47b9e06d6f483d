import type { JsonValue } from '../model/result.ts';
import type { CapturedText } from './capture.ts';
import { SAFE_DIGITS } from './scan-tables.ts';

/**
 * Parses one captured text, with two differences from `JSON.parse`:
 * - A number that a double cannot represent, and every integer beyond ±(2^53−1), becomes a string of its digits, so
 *   that different numbers are never equal.
 * - NUL and lone surrogates in strings and keys become U+FFFD, because PostgreSQL's json rejects them.
 */
export function parseText(text: CapturedText): JsonValue {
  if (text.first_byte === QUOTE && !text.escaped) return parseString(text);
  let source = text.long_numbers.length > 0 ? quoteLossyNumbers(text) : text.toText();
  if (text.suspect) source = replaceUnstorable(source);
  return JSON.parse(source) as JsonValue;
}

/** Parses a captured key or string. */
export function parseString(text: CapturedText): string {
  if (text.escaped) return parseText(text) as string;
  return text.toText(1);
}

const QUOTE = 0x22;

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

/** Returns true when a double represents the literal exactly and no adjacent integer has the same double. */
function isExact(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return false;
  if (literal.length <= SAFE_DIGITS && Math.abs(value) > SMALLEST) return true;
  return sameDecimal(literal, String(value));
}

/** At or above this value, a double represents any decimal of 15 digits. */
const SMALLEST = 1e-300;

function sameDecimal(a: string, b: string): boolean {
  const left = parseDecimal(a);
  const right = parseDecimal(b);
  return left.digits === right.digits && (left.digits === '' || left.exponent === right.exponent);
}

/** Returns the significant digits without outer zeros, and the power of ten of the last one. Ignores the sign. */
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

/** Matches each escape, surrogate pairs first, so that the remaining surrogates are lone ones. */
const ESCAPES = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^u])/g;
const UNSTORABLE = /^\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})$/;

function replaceUnstorable(source: string): string {
  return source.replace(ESCAPES, (found) => (UNSTORABLE.test(found) ? '\\ufffd' : found));
}
