/** Tables of the byte scanner: classes of bytes between tokens, and the grammar of numbers (RFC 8259, section 6). */

export const SPACE = 1;
export const QUOTE = 2;
export const OPEN_OBJECT = 3;
export const OPEN_ARRAY = 4;
export const CLOSE_OBJECT = 5;
export const CLOSE_ARRAY = 6;
export const COLON = 7;
export const COMMA = 8;
export const NUMBER = 9;
export const LITERAL = 10;

/** Class of each byte outside a string; 0 for an invalid byte. */
export const BYTE_CLASS = new Uint8Array(256);
for (const [text, byteClass] of [
  [' \t\r\n', SPACE],
  ['"', QUOTE],
  ['{', OPEN_OBJECT],
  ['[', OPEN_ARRAY],
  ['}', CLOSE_OBJECT],
  [']', CLOSE_ARRAY],
  [':', COLON],
  [',', COMMA],
  ['-0123456789', NUMBER],
  ['tfn', LITERAL],
] as const) {
  for (const char of text) BYTE_CLASS[char.charCodeAt(0)] = byteClass;
}

/** 1 for a byte that ends a run of plain string text: quote, backslash, control character. */
export const ENDS_PLAIN = new Uint8Array(256);
ENDS_PLAIN.fill(1, 0, 0x20);
ENDS_PLAIN[0x22] = 1;
ENDS_PLAIN[0x5c] = 1;

/** 1 for a byte that may follow a backslash, except `u`, which is handled separately. */
export const SIMPLE_ESCAPE = new Uint8Array(256);
for (const char of '"\\/bfnrt') SIMPLE_ESCAPE[char.charCodeAt(0)] = 1;

export const HEX_DIGIT = new Uint8Array(256);
for (const char of '0123456789abcdefABCDEF') HEX_DIGIT[char.charCodeAt(0)] = 1;

const DIGITS = '123456789';
const steps: [state: number, chars: string, next: number][] = [
  [1, '-', 2],
  [1, '0', 3],
  [1, DIGITS, 4],
  [2, '0', 3],
  [2, DIGITS, 4],
  [3, '.', 5],
  [3, 'eE', 7],
  [4, `0${DIGITS}`, 4],
  [4, '.', 5],
  [4, 'eE', 7],
  [5, `0${DIGITS}`, 6],
  [6, `0${DIGITS}`, 6],
  [6, 'eE', 7],
  [7, '+-', 8],
  [7, `0${DIGITS}`, 9],
  [8, `0${DIGITS}`, 9],
  [9, `0${DIGITS}`, 9],
];

export const NUMBER_START = 1;
/** From this state on, the number has an exponent. */
export const NUMBER_EXPONENT = 7;
/** Next state at `state * 256 + byte`; 0 when the byte is not part of the number. */
export const NUMBER_STEP = new Uint8Array(10 * 256);
for (const [state, chars, next] of steps) {
  for (const char of chars) NUMBER_STEP[state * 256 + char.charCodeAt(0)] = next;
}

/** 1 for a state in which a number may end. */
export const NUMBER_ENDS = Uint8Array.of(0, 0, 0, 1, 1, 0, 1, 0, 0, 1);

/** Literals by their first byte. */
export const LITERALS: Readonly<Record<number, string>> = { 116: 'true', 102: 'false', 110: 'null' };

/** A double represents every integer of 15 digits. Longer numbers and numbers with an exponent are checked as text. */
export const SAFE_DIGITS = 15;

/** Tokens that are allowed next. The first two allow a value. */
export const VALUE = 0;
export const VALUE_OR_END = 1;
export const KEY_OR_END = 2;
export const KEY = 3;
export const KEY_COLON = 4;
export const COMMA_OR_END = 5;
