import type { CapturedText } from './capture.ts';
import { JsonError } from './errors.ts';
import { type ScanState, skipEasyTokens, skipIndent, viewWords, type WordView } from './scan-fast.ts';
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
  LITERAL,
  LITERALS,
  NUMBER,
  NUMBER_START,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
  VALUE,
  VALUE_OR_END,
} from './scan-tables.ts';
import { IN_LITERAL, IN_NUMBER, IN_STRING, NO_TOKEN, TokenScanner } from './scan-tokens.ts';

export type ValueKind = 'object' | 'array' | 'scalar';

/**
 * Receives events for values down to `deepest`. `depth` is the number of containers around a value: 0 for the root and 1
 * for its members. Offsets are in bytes of the whole text.
 */
export interface ScanHandler {
  /** The depth of the deepest values with events; 2 if absent. */
  readonly deepest?: number;
  key(depth: number, text: CapturedText): void;
  /**
   * @returns true to receive the value's text in `end`, 'skip' to receive neither its text nor events for values inside
   *   it; a captured value has no events inside it either
   */
  begin(depth: number, kind: ValueKind, at: number): boolean | 'skip';
  /** @param text null if the value was not captured */
  end(depth: number, at: number, text: CapturedText | null): void;
  /** A captured value is larger than the limit: it is skipped, and ends without text. If absent, it is an error. */
  tooLarge?(): void;
}

const SHALLOW = 2;
const MAX_DEPTH = 200;
const CAPTURED_KEY = -1;

/**
 * Scans JSON text in chunks split at any position without building values. It accepts exactly the texts that
 * `JSON.parse` accepts, up to 200 levels deep. It captures only values that the handler requests, one at a time.
 */
export class JsonScanner extends TokenScanner implements ScanState {
  private readonly handler: ScanHandler;
  private readonly maxCaptured: number;
  /** Depth of the captured value, or CAPTURED_KEY. */
  private captureDepth = 0;
  private readonly deepest: number;
  /** Values deeper than this have no events: `deepest`, or the depth of a captured or skipped value. */
  private floor: number;
  private words: WordView = { memory: new Int32Array(0), base: 0 };
  /** 1 = object, 0 = array, per depth. */
  readonly isObject = new Uint8Array(MAX_DEPTH + 1);
  depth = 0;
  expected = VALUE;
  /** The root value has ended. */
  done = false;

  constructor(handler: ScanHandler, maxCaptured: number) {
    super();
    this.handler = handler;
    this.maxCaptured = maxCaptured;
    this.deepest = Math.min(handler.deepest ?? SHALLOW, MAX_DEPTH);
    this.floor = this.deepest;
  }

  /** @returns the number of bytes that belong to the root value; less than the chunk's length when it has ended */
  write(chunk: Buffer): number {
    this.chunk = chunk;
    const used = this.scan(chunk, chunk.length);
    if (this.capture.active) this.keepCaptured(used);
    this.chunkAt += used;
    return used;
  }

  /** The offset of the first byte that was not read yet. */
  get position(): number {
    return this.chunkAt;
  }

  private scan(bytes: Buffer, end: number): number {
    const words = viewWords(bytes);
    this.words = words;
    let i = this.token === NO_TOKEN ? 0 : this.resume(bytes);
    while (i < end && !this.done) {
      if (this.depth > this.floor) i = skipEasyTokens(this, bytes, words, i, this.floor);
      if (i < end) i = this.step(bytes, i);
    }
    return i;
  }

  /** Handles one token completely. */
  private step(bytes: Buffer, i: number): number {
    const byte = bytes[i]!;
    switch (BYTE_CLASS[byte]) {
      case SPACE:
        return skipIndent(bytes, this.words, i + 1);
      case QUOTE:
        return this.openString(bytes, i);
      case COLON:
        if (this.expected !== KEY_COLON) this.fail(i);
        this.expected = VALUE;
        return i + 1;
      case COMMA:
        if (this.expected !== COMMA_OR_END) this.fail(i);
        this.expected = this.isObject[this.depth] === 1 ? KEY : VALUE;
        return i + 1;
      case OPEN_OBJECT:
        return this.open(i, 1);
      case OPEN_ARRAY:
        return this.open(i, 0);
      case CLOSE_OBJECT:
        return this.close(i, 1, KEY_OR_END);
      case CLOSE_ARRAY:
        return this.close(i, 0, VALUE_OR_END);
      case NUMBER:
        return this.openNumber(bytes, i);
      case LITERAL:
        return this.openKeyword(bytes, i);
      default:
        return this.fail(i);
    }
  }

  private open(i: number, object: 0 | 1): number {
    if (this.expected > VALUE_OR_END) this.fail(i);
    if (this.depth === MAX_DEPTH) {
      throw new JsonError(
        'depth',
        `The JSON is nested more than ${MAX_DEPTH} levels deep (at byte ${this.chunkAt + i}). Reduce the nesting.`,
      );
    }
    if (this.depth <= this.floor) this.begin(i, object === 1 ? 'object' : 'array');
    this.depth += 1;
    this.isObject[this.depth] = object;
    this.expected = object === 1 ? KEY_OR_END : VALUE_OR_END;
    return i + 1;
  }

  private close(i: number, object: 0 | 1, whenEmpty: number): number {
    if (this.expected !== COMMA_OR_END && this.expected !== whenEmpty) this.fail(i);
    if (this.depth === 0 || this.isObject[this.depth] !== object) this.fail(i);
    this.depth -= 1;
    this.expected = COMMA_OR_END;
    if (this.depth <= this.floor) this.finishValue(i + 1);
    return i + 1;
  }

  private beginScalar(i: number): void {
    if (this.expected > VALUE_OR_END) this.fail(i);
    this.expected = COMMA_OR_END;
    if (this.depth <= this.floor) this.begin(i, 'scalar');
  }

  protected endScalar(end: number): void {
    this.token = NO_TOKEN;
    if (this.depth <= this.floor) this.finishValue(end);
  }

  private begin(i: number, kind: ValueKind): void {
    const interest = this.handler.begin(this.depth, kind, this.chunkAt + i);
    if (interest === false) return;
    if (interest === true) this.beginCapture(i, this.depth);
    this.floor = this.depth;
  }

  private beginCapture(i: number, depth: number): void {
    this.captureDepth = depth;
    this.capture.begin(this.chunkAt + i);
  }

  private finishValue(end: number): void {
    const text = this.capture.active ? this.takeCaptured(end) : null;
    this.floor = this.deepest;
    this.handler.end(this.depth, this.chunkAt + end, text);
    if (this.depth === 0) this.done = true;
  }

  private openString(bytes: Buffer, i: number): number {
    if (this.expected === KEY || this.expected === KEY_OR_END) {
      this.expected = KEY_COLON;
      if (this.depth <= this.floor) this.beginCapture(i, CAPTURED_KEY);
    } else {
      this.beginScalar(i);
    }
    this.token = IN_STRING;
    return this.string(bytes, i + 1);
  }

  protected endString(end: number): void {
    if (this.expected !== KEY_COLON) {
      this.endScalar(end);
      return;
    }
    this.token = NO_TOKEN;
    if (this.captureDepth !== CAPTURED_KEY || !this.capture.active) return;
    const key = this.takeCaptured(end);
    if (key !== null) this.handler.key(this.depth, key);
  }

  private openNumber(bytes: Buffer, i: number): number {
    this.beginScalar(i);
    this.token = IN_NUMBER;
    this.numberState = NUMBER_START;
    this.numberAt = this.chunkAt + i;
    return this.number(bytes, i);
  }

  private openKeyword(bytes: Buffer, i: number): number {
    this.beginScalar(i);
    this.token = IN_LITERAL;
    this.literal = LITERALS[bytes[i]!]!;
    this.literalDone = 0;
    return this.keyword(bytes, i);
  }

  private takeCaptured(end: number): CapturedText | null {
    return this.dropTooLarge(end) ? null : this.capture.take(this.chunk, this.chunkAt, end);
  }

  private keepCaptured(used: number): void {
    if (!this.dropTooLarge(used)) this.capture.keep(this.chunk, this.chunkAt);
  }

  /** @returns true if the captured value is too large and the handler skips it */
  private dropTooLarge(end: number): boolean {
    const { start_at } = this.capture;
    if (this.chunkAt + end - start_at <= this.maxCaptured) return false;
    if (this.captureDepth === CAPTURED_KEY || this.handler.tooLarge === undefined) {
      const size = Math.floor(this.maxCaptured / 1_048_576);
      throw new JsonError(
        'size',
        `One entry, at byte ${start_at}, is larger than ${size} MiB. Reduce the size of its values.`,
      );
    }
    this.capture.drop();
    this.handler.tooLarge();
    return true;
  }
}
