import {
  BYTE_CLASS,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  COMMA_OR_END,
  KEY,
  KEY_COLON,
  KEY_OR_END,
  NUMBER,
  NUMBER_ENDS,
  NUMBER_EXPONENT,
  NUMBER_START,
  NUMBER_STEP,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SAFE_DIGITS,
  SIMPLE_ESCAPE,
  SPACE,
  VALUE,
  VALUE_OR_END,
} from './scan-tables.ts';

/** The state of the scanner between two tokens. */
export interface ScanState {
  /** The number of open containers. */
  depth: number;
  /** The tokens that are allowed next. */
  expected: number;
  /** 1 = object, 0 = array, per depth. */
  readonly isObject: Uint8Array;
}

/** A view of a chunk's memory for searching strings four bytes at a time. */
export interface WordView {
  readonly memory: Int32Array;
  /** Offset of the chunk's first byte in that memory. */
  readonly base: number;
}

/** On a big-endian machine, the view is empty, so the fast path never applies. */
export function viewWords(chunk: Buffer): WordView {
  if (!LITTLE_ENDIAN) return { memory: new Int32Array(0), base: 0 };
  return { memory: new Int32Array(chunk.buffer, 0, chunk.buffer.byteLength >> 2), base: chunk.byteOffset };
}

const LITTLE_ENDIAN = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

/**
 * Skips simple tokens below depth `floor`, which are most of a plan, using only local variables. Stops before any other
 * token (a token cut by the end of the chunk, `\u`, a long number, an error, or the bracket that returns to `floor`)
 * without changing the state; the scanner handles that token.
 *
 * @returns the index of the first byte that was not skipped
 */
export function skipEasyTokens(state: ScanState, bytes: Buffer, words: WordView, start: number, floor: number): number {
  const end = bytes.length;
  const isObject = state.isObject;
  const deepest = isObject.length - 1;
  let depth = state.depth;
  let expected = state.expected;
  let i = start;
  walk: while (i < end) {
    const byteClass = BYTE_CLASS[bytes[i]!];
    if (byteClass === QUOTE) {
      if (expected === KEY_COLON || expected === COMMA_OR_END) break;
      const after = endOfString(bytes, words, i + 1);
      if (after === -1) break;
      i = after;
      if (expected <= VALUE_OR_END) expected = COMMA_OR_END;
      else if (i < end && bytes[i] === 0x3a) {
        expected = VALUE;
        i += 1;
      } else expected = KEY_COLON;
      if (expected === COMMA_OR_END && i < end && bytes[i] === 0x2c) {
        expected = isObject[depth] === 1 ? KEY : VALUE;
        i += 1;
      }
    } else if (byteClass === COMMA) {
      if (expected !== COMMA_OR_END) break;
      expected = isObject[depth] === 1 ? KEY : VALUE;
      i += 1;
    } else if (byteClass === SPACE) {
      i = skipIndent(bytes, words, i + 1);
    } else {
      switch (byteClass) {
        case COLON:
          if (expected !== KEY_COLON) break walk;
          expected = VALUE;
          break;
        case OPEN_OBJECT:
        case OPEN_ARRAY:
          if (expected > VALUE_OR_END || depth === deepest) break walk;
          depth += 1;
          isObject[depth] = byteClass === OPEN_OBJECT ? 1 : 0;
          expected = byteClass === OPEN_OBJECT ? KEY_OR_END : VALUE_OR_END;
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY: {
          const object = byteClass === CLOSE_OBJECT ? 1 : 0;
          if (expected !== COMMA_OR_END && expected !== (object === 1 ? KEY_OR_END : VALUE_OR_END)) break walk;
          if (isObject[depth] !== object || depth - 1 <= floor) break walk;
          depth -= 1;
          expected = COMMA_OR_END;
          break;
        }
        case NUMBER: {
          if (expected > VALUE_OR_END) break walk;
          const after = endOfNumber(bytes, i);
          if (after === -1) break walk;
          i = after - 1;
          expected = COMMA_OR_END;
          break;
        }
        default: {
          const length = expected > VALUE_OR_END ? 0 : literalLength(bytes, i);
          if (length === 0) break walk;
          i += length - 1;
          expected = COMMA_OR_END;
        }
      }
      i += 1;
    }
  }
  state.depth = depth;
  state.expected = expected;
  return i;
}

/**
 * Indentation is a long run of spaces. A read beyond the end of the chunk would make V8 discard the compiled code.
 *
 * @returns the index of the first other byte
 */
export function skipIndent(bytes: Buffer, { memory, base }: WordView, start: number): number {
  const end = bytes.length;
  const lastWord = (base + end) >> 2;
  let i = start;
  while (i < end && bytes[i] === 0x20 && ((base + i) & 3) !== 0) i += 1;
  let word = (base + i) >> 2;
  if (((base + i) & 3) === 0) {
    while (word < lastWord && memory[word] === FOUR_SPACES) word += 1;
    i = word * 4 - base;
  }
  while (i < end && bytes[i] === 0x20) i += 1;
  return i;
}

const FOUR_SPACES = 0x20202020;

/**
 * Sets the high bit of each byte that is a quote, a backslash or a control character. Only the lowest set bit is
 * reliable. Flipping bit 1 turns a quote into 0x20, the first value after the control characters.
 */
function endsOfPlainText(word: number): number {
  const turned = word ^ 0x02020202;
  const slash = word ^ 0x5c5c5c5c;
  return (((turned - 0x21212121) & ~turned) | ((slash - 0x01010101) & ~slash)) & HIGH_BITS;
}

const HIGH_BITS = 0x80808080 | 0;
const PLAIN_LETTERS = 0x61616161;

/** @returns the index after the closing quote; -1 when the string is not simple or reaches the chunk's last word */
function endOfString(bytes: Buffer, words: WordView, start: number): number {
  const { memory, base } = words;
  const lastWord = (base + bytes.length) >> 2;
  let at = base + start;
  for (;;) {
    let word = at >> 2;
    if (word >= lastWord) return -1;
    const before = (1 << ((at & 3) * 8)) - 1;
    let found = endsOfPlainText((memory[word]! & ~before) | (PLAIN_LETTERS & before));
    while (found === 0) {
      word += 1;
      if (word >= lastWord) return -1;
      found = endsOfPlainText(memory[word]!);
    }
    at = word * 4 + ((31 - Math.clz32(found & -found)) >> 3);
    const byte = bytes[at - base]!;
    if (byte === 0x22) return at - base + 1;
    if (byte !== 0x5c || at - base + 1 >= bytes.length || SIMPLE_ESCAPE[bytes[at - base + 1]!] !== 1) return -1;
    at += 2;
  }
}

/** @returns the index after the number; -1 when it is cut, invalid, long or has an exponent */
function endOfNumber(bytes: Buffer, start: number): number {
  const end = Math.min(bytes.length, start + SAFE_DIGITS + 1);
  let state = NUMBER_START;
  let i = start;
  while (i < end) {
    const next = NUMBER_STEP[state * 256 + bytes[i]!]!;
    if (next === 0) return NUMBER_ENDS[state] === 1 && state < NUMBER_EXPONENT ? i : -1;
    state = next;
    i += 1;
  }
  return -1;
}

/** @returns the length of the literal that begins here; 0 when there is none or it is cut */
function literalLength(bytes: Buffer, i: number): number {
  if (i + 4 >= bytes.length) return 0;
  const first = bytes[i];
  if (first === 0x74) return bytes[i + 1] === 0x72 && bytes[i + 2] === 0x75 && bytes[i + 3] === 0x65 ? 4 : 0;
  if (first === 0x6e) return bytes[i + 1] === 0x75 && bytes[i + 2] === 0x6c && bytes[i + 3] === 0x6c ? 4 : 0;
  if (first !== 0x66 || bytes[i + 1] !== 0x61 || bytes[i + 2] !== 0x6c) return 0;
  return bytes[i + 3] === 0x73 && bytes[i + 4] === 0x65 ? 5 : 0;
}
