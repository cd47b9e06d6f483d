import { Capture } from './capture.ts';
import { JsonError } from './errors.ts';
import {
  ENDS_PLAIN,
  HEX_DIGIT,
  NUMBER_ENDS,
  NUMBER_EXPONENT,
  NUMBER_STEP,
  SAFE_DIGITS,
  SIMPLE_ESCAPE,
} from './scan-tables.ts';

/** The token in which the last chunk ended. */
export const NO_TOKEN = 0;
export const IN_STRING = 1;
export const IN_NUMBER = 2;
export const IN_LITERAL = 3;

const AFTER_BACKSLASH = 5;

/** Reads the tokens that can be divided between chunks: strings, numbers and literals. */
export abstract class TokenScanner {
  protected readonly capture = new Capture();
  protected token = NO_TOKEN;
  /** 0 in plain text, AFTER_BACKSLASH, or else the number of remaining hex digits. */
  private escape = 0;
  protected numberState = 0;
  protected numberAt = 0;
  protected literal = '';
  protected literalDone = 0;
  protected chunk: Buffer = Buffer.alloc(0);
  protected chunkAt = 0;

  protected abstract endString(end: number): void;
  protected abstract endScalar(end: number): void;

  protected resume(bytes: Buffer): number {
    if (this.token === IN_STRING) return this.string(bytes, 0);
    return this.token === IN_NUMBER ? this.number(bytes, 0) : this.keyword(bytes, 0);
  }

  protected string(bytes: Buffer, i: number): number {
    const end = bytes.length;
    while (i < end) {
      if (this.escape !== 0) {
        this.readEscape(bytes[i]!, i);
        i += 1;
        continue;
      }
      while (i < end && ENDS_PLAIN[bytes[i]!] === 0) i += 1;
      if (i === end) break;
      const byte = bytes[i]!;
      i += 1;
      if (byte === 0x22) {
        this.endString(i);
        break;
      }
      if (byte !== 0x5c) this.fail(i - 1);
      this.escape = AFTER_BACKSLASH;
      this.capture.escaped = true;
    }
    return i;
  }

  private readEscape(byte: number, i: number): void {
    if (this.escape === AFTER_BACKSLASH) {
      if (byte !== 0x75 && SIMPLE_ESCAPE[byte] === 0) this.fail(i);
      this.escape = byte === 0x75 ? 4 : 0;
      return;
    }
    if (HEX_DIGIT[byte] === 0) this.fail(i);
    // The first digit is sufficient: NUL begins with 0, a surrogate with d.
    if (this.escape === 4 && (byte === 0x30 || (byte | 0x20) === 0x64)) this.capture.suspect = true;
    this.escape -= 1;
  }

  protected number(bytes: Buffer, i: number): number {
    const end = bytes.length;
    let state = this.numberState;
    while (i < end) {
      const next = NUMBER_STEP[state * 256 + bytes[i]!]!;
      if (next === 0) break;
      state = next;
      i += 1;
    }
    this.numberState = state;
    if (i === end) return i;
    if (NUMBER_ENDS[state] === 0) this.fail(i);
    if (this.capture.active) this.noteNumber(this.chunkAt + i, state);
    this.endScalar(i);
    return i;
  }

  private noteNumber(endAt: number, state: number): void {
    if (endAt - this.numberAt <= SAFE_DIGITS && state < NUMBER_EXPONENT) return;
    const { start_at, long_numbers } = this.capture;
    long_numbers.push(this.numberAt - start_at, endAt - start_at);
  }

  protected keyword(bytes: Buffer, i: number): number {
    const end = bytes.length;
    while (i < end && this.literalDone < this.literal.length) {
      if (bytes[i] !== this.literal.charCodeAt(this.literalDone)) this.fail(i);
      this.literalDone += 1;
      i += 1;
    }
    if (this.literalDone === this.literal.length) this.endScalar(i);
    return i;
  }

  protected fail(i: number): never {
    throw new JsonError(
      'syntax',
      `The JSON is invalid at byte ${this.chunkAt + i}: unexpected ${describeByte(this.chunk[i]!)}.`,
    );
  }
}

function describeByte(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return `"${String.fromCharCode(byte)}"`;
  return `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}
