import { isAscii, isUtf8 } from 'node:buffer';
import { InvalidInput } from './errors.ts';

export interface StrictJsonLimits {
  /** Deepest nesting of objects and arrays. */
  max_depth: number;
}

const DEFAULT_LIMITS: StrictJsonLimits = { max_depth: 200 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COLON = 0x3a;

/**
 * Parses JSON that has only one interpretation: UTF-8 without a byte order mark, no duplicate members in an object, and
 * not so deep that a recursive parser would overflow.
 *
 * @returns the result of `JSON.parse`
 * @throws InvalidInput `invalid_json`
 * @see RFC 8259, sections 4 and 8.1; RFC 7493 (I-JSON), section 2.3
 */
export function parseStrictJson(bytes: Uint8Array, limits: Partial<StrictJsonLimits> = {}): unknown {
  const text = decode(bytes);
  scan(text, limits.max_depth ?? DEFAULT_LIMITS.max_depth);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`not valid JSON${describePosition(error, text)}`);
  }
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw invalid('empty');
  if (!isUtf8(bytes)) throw invalid('not valid UTF-8');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  if (text.charCodeAt(0) === 0xfeff) throw invalid('starts with a byte order mark; send UTF-8 without one');
  return text;
}

/** Before parsing: the nesting depth, and duplicate names. `JSON.parse` reports invalid JSON. */
function scan(text: string, max_depth: number): void {
  /** Names in each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  let position = 0;
  while (position < text.length) {
    const char = text.charCodeAt(position);
    if (char === QUOTE) {
      position = readString(text, position, open.at(-1));
      continue;
    }
    if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      if (open.length === max_depth) throw invalid(`nested deeper than ${max_depth} levels`);
      open.push(char === OPEN_OBJECT ? new Set() : null);
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
      open.pop();
    }
    position += 1;
  }
}

/** @returns the position after the string; records it if it is a name */
function readString(text: string, start: number, names: Set<string> | null | undefined): number {
  const end = endOfString(text, start);
  if (!names || !isFollowedByColon(text, end)) return end;
  const raw = text.slice(start, end);
  const name = raw.includes('\\') ? unescapeName(raw) : raw.slice(1, -1);
  if (names.has(name)) throw invalid(`member ${JSON.stringify(name.slice(0, 100))} occurs twice in one object`);
  names.add(name);
  return end;
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

function isFollowedByColon(text: string, from: number): boolean {
  let position = from;
  while (isSpace(text.charCodeAt(position))) position += 1;
  return text.charCodeAt(position) === COLON;
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
}

/** Two spellings of a name are the same name: `"a"` and `"\u0061"`. */
function unescapeName(raw: string): string {
  try {
    return JSON.parse(raw) as string;
  } catch {
    throw invalid('not valid JSON: a member name contains a malformed escape');
  }
}

/** Line and column, if V8 reports the position; its own message would quote the body. */
function describePosition(error: unknown, text: string): string {
  const position = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined)
    return error instanceof SyntaxError && /end of JSON/.test(error.message) ? ': it ends too early' : '';
  const before = text.slice(0, Number(position));
  const line = before.split('\n').length;
  return ` at line ${line}, column ${before.length - before.lastIndexOf('\n')}`;
}

function invalid(problem: string): InvalidInput {
  return new InvalidInput(`invalid request body: ${problem}`, 'invalid_json');
}
