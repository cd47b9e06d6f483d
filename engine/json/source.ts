import { createDecoder } from './encoding.ts';
import { JsonError } from './errors.ts';
import { JsonScanner, type ScanHandler } from './scan.ts';

/** The number of bytes at the start of a text that are used to recognize its kind. */
export const HEAD_BYTES = 4096;

/** Creates the errors about a file that is not one JSON object, in the words of its reader. */
export interface SourceErrors {
  /** The text does not begin with an object. @param head its first bytes; empty if there are none */
  notObject(head: Buffer): Error;
  truncated(bytes: number): Error;
  textAfterEnd(at: number): Error;
  invalid(error: JsonError): Error;
  /** If absent, UTF-16 is decoded. */
  utf16?(): Error;
}

/** Lines of the GitHub wrapper for terraform (`[command]…`) and workflow commands (`::debug::…`) begin with these. */
const WRAPPER_MARKS = ['[command]', '::'];

/**
 * Finds the JSON object in a file and passes its values to `handler`. Decodes UTF-16, and removes a byte order mark and
 * the lines that the `setup-terraform` wrapper prints before and after the output.
 *
 * `write` and `end` throw the errors that `errors` creates.
 *
 * @param maxEntryBytes the largest value that the handler captures
 */
export function createSource(handler: ScanHandler, errors: SourceErrors, maxEntryBytes: number) {
  const decoder = createDecoder(errors.utf16);
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
      throw error instanceof JsonError ? errors.invalid(error) : error;
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
      throw errors.notObject(rest.subarray(0, HEAD_BYTES));
    pending = shorten(rest, last);
    return EMPTY;
  }

  function skipAfter(bytes: Buffer, last: boolean): void {
    const rest = skipWrapper(pending, bytes, last);
    if (rest.length > 0 && !isWrapperLine(rest, last)) throw errors.textAfterEnd(scanner.position);
    pending = shorten(rest, last);
  }

  function end(): void {
    feed(decoder.end(), true);
    if (part === 'before') throw errors.notObject(EMPTY);
    if (part === 'inside') throw errors.truncated(scanner.position);
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
