/** What the scanner found in a captured value. */
interface Findings {
  /** Byte offsets in this text of each number that a double may not represent: start, end, start, end, … */
  long_numbers: number[];
  /** A string contains a backslash. */
  escaped: boolean;
  /** A string contains an escape that may be NUL or half of a surrogate pair. */
  suspect: boolean;
}

/** The text of one captured value: a part of a chunk, which the caller may reuse, or of a copy. */
export class CapturedText implements Readonly<Findings> {
  readonly long_numbers: number[];
  readonly escaped: boolean;
  readonly suspect: boolean;
  private readonly source: Buffer;
  private readonly start: number;
  private readonly end: number;

  constructor(source: Buffer, start: number, end: number, { long_numbers, escaped, suspect }: Readonly<Findings>) {
    this.source = source;
    this.start = start;
    this.end = end;
    this.long_numbers = long_numbers;
    this.escaped = escaped;
    this.suspect = suspect;
  }

  get first_byte(): number | undefined {
    return this.source[this.start];
  }

  get bytes(): Buffer {
    return this.source.subarray(this.start, this.end);
  }

  /** Decodes the text without `margin` bytes at each end; faster than `bytes`, which creates an object. */
  toText(margin = 0): string {
    return this.source.toString('utf8', this.start + margin, this.end - margin);
  }

  /** Returns a copy that stays valid when the chunk is reused. */
  copy(): CapturedText {
    return new CapturedText(Buffer.from(this.bytes), 0, this.end - this.start, this);
  }
}

/** Collects the bytes of one value, which may span several chunks. */
export class Capture implements Findings {
  active = false;
  start_at = 0;
  long_numbers: number[] = [];
  escaped = false;
  suspect = false;
  private pieces: Buffer[] = [];

  /** @param at offset of the value's first byte in the whole text */
  begin(at: number): void {
    this.active = true;
    this.start_at = at;
    this.escaped = false;
    this.suspect = false;
  }

  /** Copies the value's bytes in the chunk, because the caller may reuse the chunk. */
  keep(chunk: Buffer, chunkAt: number): void {
    this.pieces.push(Buffer.from(chunk.subarray(Math.max(0, this.start_at - chunkAt))));
  }

  /** @param end index in `chunk` of the first byte after the value */
  take(chunk: Buffer, chunkAt: number, end: number): CapturedText {
    const start = Math.max(0, this.start_at - chunkAt);
    let text: CapturedText;
    if (this.pieces.length === 0) text = new CapturedText(chunk, start, end, this);
    else {
      const whole = Buffer.concat([...this.pieces, chunk.subarray(start, end)]);
      text = new CapturedText(whole, 0, whole.length, this);
    }
    this.drop();
    return text;
  }

  drop(): void {
    this.active = false;
    if (this.pieces.length > 0) this.pieces = [];
    if (this.long_numbers.length > 0) this.long_numbers = [];
  }
}
