/** The text of one captured value and what the scanner found in it. */
export interface CapturedText {
  bytes: Buffer;
  /** Byte offsets in this text of each number that a double may not represent: start, end, start, end, … */
  long_numbers: number[];
  /** A string contains a backslash. */
  escaped: boolean;
  /** A string contains an escape that may be NUL or half of a surrogate pair. */
  suspect: boolean;
}

/** Collects the bytes of one value, which may span several chunks. */
export class Capture {
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
    const last = chunk.subarray(Math.max(0, this.start_at - chunkAt), end);
    const text = {
      bytes: this.pieces.length === 0 ? last : Buffer.concat([...this.pieces, last]),
      long_numbers: this.long_numbers,
      escaped: this.escaped,
      suspect: this.suspect,
    };
    this.drop();
    return text;
  }

  drop(): void {
    this.active = false;
    if (this.pieces.length > 0) this.pieces = [];
    if (this.long_numbers.length > 0) this.long_numbers = [];
  }
}
