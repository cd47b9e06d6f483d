import { isUtf8 } from 'node:buffer';
import { Failure } from './failure.ts';

const LINE_FEED = 0x0a;
const NO_TEXT = /^[ \t\r]*$/;

export interface LineReader {
  write(chunk: Uint8Array): void;
  /** The last line needs no line feed. */
  end(): void;
}

/**
 * Splits bytes into lines of text and keeps at most one line in memory. Blank lines are counted and skipped.
 *
 * @param onLine gets each line without its line feed, and its number, from 1
 * @throws Failure, from `write` and `end`, if a line is longer than `max_bytes` or is not UTF-8
 */
export function createLineReader(max_bytes: number, onLine: (line: string, number: number) => void): LineReader {
  let pending = Buffer.alloc(0);
  let number = 0;

  function write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      handleLine(
        pending.length === 0 ? bytes.subarray(start, end) : Buffer.concat([pending, bytes.subarray(start, end)]),
      );
      pending = Buffer.alloc(0);
      start = end + 1;
    }
    pending = Buffer.concat([pending, bytes.subarray(start)]);
    if (pending.length > max_bytes) throw tooLong(number + 1);
  }

  function handleLine(line: Buffer): void {
    number += 1;
    if (line.length > max_bytes) throw tooLong(number);
    // Invalid UTF-8 would be decoded as U+FFFD and could replace that character unnoticed.
    if (!isUtf8(line)) throw new Failure(`line ${number} is no UTF-8`);
    const text = line.toString('utf8');
    if (!NO_TEXT.test(text)) onLine(text, number);
  }

  function tooLong(line: number): Failure {
    return new Failure(`line ${line} is longer than ${max_bytes} bytes`);
  }

  return {
    write,
    end: () => {
      if (pending.length > 0) handleLine(pending);
    },
  };
}
