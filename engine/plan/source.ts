import { createDecoder } from '../json/encoding.ts';
import { JsonError } from '../json/errors.ts';
import { JsonScanner, type ScanHandler } from '../json/scan.ts';
import { PlanError } from './errors.ts';
import { HEAD_BYTES, refuseText, refuseTextAfterEnd, refuseTruncated } from './refusals.ts';

/** The default for the largest entry. */
const MAX_ENTRY_BYTES = 64 * 1_048_576;

/** Lines of the GitHub wrapper for terraform (`[command]…`) and workflow commands (`::debug::…`) begin with these. */
const WRAPPER_MARKS = ['[command]', '::'];

/**
 * Finds the JSON object in a file and passes its values to `handler`. Decodes UTF-16, and removes a byte order mark and
 * the lines that the `setup-terraform` wrapper prints before and after the output.
 *
 * `write` and `end` throw PlanError: no object, invalid or truncated JSON, or text after its end.
 */
export function createSource(handler: ScanHandler, maxEntryBytes = MAX_ENTRY_BYTES) {
  const decoder = createDecoder();
  const scanner = new JsonScanner(handler, maxEntryBytes);
  let part: 'before' | 'inside' | 'after' = 'before';
  let pending: Buffer = Buffer.alloc(0);

  function write(chunk: Uint8Array): void {
    feed(decoder.write(chunk), false);
  }

  function feed(bytes: Buffer, last: boolean): void {
    if (part === 'before') bytes = skipBefore(bytes, last);
    if (part === 'inside' && bytes.length > 0) {
      bytes = bytes.subarray(scan(bytes));
      if (scanner.done) part = 'after';
    }
    if (part === 'after') skipAfter(bytes, last);
  }

  /** @returns how many bytes belong to the object */
  function scan(bytes: Buffer): number {
    try {
      return scanner.write(bytes);
    } catch (error) {
      throw error instanceof JsonError ? new PlanError(error.message) : error;
    }
  }

  /** @returns the bytes after the wrapper lines; empty until they are known */
  function skipBefore(bytes: Buffer, last: boolean): Buffer {
    const rest = skipWrapper(pending, bytes, last);
    if (rest.length === 0 || rest[0] === 0x7b) {
      pending = EMPTY;
      if (rest.length > 0) part = 'inside';
      return rest;
    }
    if (!isWrapperLine(rest, last) && (last || rest.length >= HEAD_BYTES))
      throw refuseText(rest.subarray(0, HEAD_BYTES));
    pending = shorten(rest, last);
    return EMPTY;
  }

  function skipAfter(bytes: Buffer, last: boolean): void {
    const rest = skipWrapper(pending, bytes, last);
    if (rest.length > 0 && !isWrapperLine(rest, last)) throw refuseTextAfterEnd(scanner.position);
    pending = shorten(rest, last);
  }

  function end(): void {
    feed(decoder.end(), true);
    if (part === 'before') throw refuseText(EMPTY);
    if (part === 'inside') throw refuseTruncated(scanner.position);
  }

  return { write, end };
}

const EMPTY = Buffer.alloc(0);

/** Removes whitespace and complete wrapper lines. */
function skipWrapper(pending: Buffer, bytes: Buffer, last: boolean): Buffer {
  let rest = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
  for (;;) {
    let i = 0;
    while (i < rest.length && isBlank(rest[i]!)) i += 1;
    rest = rest.subarray(i);
    if (rest.length === 0 || !isWrapperLine(rest, last)) return rest;
    const lineEnd = rest.indexOf(0x0a);
    if (lineEnd === -1) return last ? EMPTY : rest;
    rest = rest.subarray(lineEnd);
  }
}

/** Returns true when a wrapper line begins here. A partial mark counts unless this is the last chunk. */
function isWrapperLine(rest: Buffer, last: boolean): boolean {
  const head = rest.toString('latin1', 0, 9);
  return WRAPPER_MARKS.some((mark) => head.startsWith(mark) || (!last && mark.startsWith(head)));
}

/** Returns the part of the text that is needed to recognize its kind with the next chunk. */
function shorten(rest: Buffer, last: boolean): Buffer {
  if (rest.length === 0 || last) return EMPTY;
  return Buffer.from(rest.subarray(0, isWrapperLine(rest, last) ? 16 : HEAD_BYTES));
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
