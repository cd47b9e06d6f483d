import { createDecoder } from '../json/encoding.ts';
import { JsonError } from '../json/errors.ts';
import { JsonScanner } from '../json/scan.ts';
import { HEAD_BYTES } from '../json/source.ts';
import { Walker } from '../json/walker.ts';
import { RootReader } from './containers.ts';
import type { FileNotes } from './file-notes.ts';
import { refuseInvalid, refuseSize, refuseText, refuseTruncated } from './refusals.ts';

export interface InventoryLimits {
  /** Maximum bytes of a file; defaults to 100 MB. */
  max_file_bytes?: number;
  /** Maximum bytes of one resource; defaults to 16 MiB. */
  max_entry_bytes?: number;
}

const MAX_FILE_BYTES = 100_000_000;
const MAX_ENTRY_BYTES = 16 * 1_048_576;
const EMPTY: Buffer = Buffer.alloc(0);

/** Finds the JSON documents of a file, one after the other, and passes them on. Only one resource is parsed at a time. */
export class DocumentStream {
  private readonly notes: FileNotes;
  private readonly limits: Required<InventoryLimits>;
  private readonly decoder = createDecoder();
  private scanner: JsonScanner | null = null;
  private walker: Walker | null = null;
  /** The first bytes of text that is not JSON, until there are enough to recognize it. */
  private foreign: Buffer | null = null;
  private byte_count = 0;
  private has_document = false;

  constructor(notes: FileNotes, { max_file_bytes, max_entry_bytes }: InventoryLimits) {
    this.notes = notes;
    this.limits = {
      max_file_bytes: max_file_bytes ?? MAX_FILE_BYTES,
      max_entry_bytes: max_entry_bytes ?? MAX_ENTRY_BYTES,
    };
  }

  write(chunk: Uint8Array): void {
    this.byte_count += chunk.length;
    if (this.byte_count > this.limits.max_file_bytes) throw refuseSize(this.limits.max_file_bytes);
    this.feed(this.decoder.write(chunk));
  }

  end(): void {
    this.feed(this.decoder.end());
    if (this.foreign !== null) throw refuseText(this.foreign);
    if (this.scanner !== null) throw refuseTruncated(this.byte_count);
    if (!this.has_document) throw refuseText(EMPTY);
  }

  private feed(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.foreign !== null) {
        this.addForeign(rest);
        return;
      }
      if (this.scanner === null) {
        rest = skipBlank(rest);
        if (rest.length === 0) return;
        if (!this.begin(rest)) return;
      }
      rest = rest.subarray(this.scan(rest));
      this.walker?.retain();
    }
  }

  /** @returns false if this is not JSON */
  private begin(rest: Buffer): boolean {
    const [first] = rest;
    if (first !== OPEN_OBJECT && first !== OPEN_ARRAY && !isScalar(rest)) {
      if (this.has_document) throw refuseInvalid(textBetween(this.notes.document_count));
      this.addForeign(rest);
      return false;
    }
    this.walker = new Walker(new RootReader(this.notes));
    this.scanner = new JsonScanner(this.walker, this.limits.max_entry_bytes);
    this.has_document = true;
    return true;
  }

  private scan(bytes: Buffer): number {
    const scanner = this.scanner as JsonScanner;
    try {
      const used = scanner.write(bytes);
      if (scanner.done) this.scanner = null;
      return used;
    } catch (error) {
      throw error instanceof JsonError ? refuseInvalid(error) : error;
    }
  }

  private addForeign(bytes: Buffer): void {
    this.foreign = Buffer.concat([this.foreign ?? EMPTY, bytes.subarray(0, HEAD_BYTES)]);
    if (this.foreign.length >= HEAD_BYTES) throw refuseText(this.foreign);
  }
}

const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

/** A text or keyword of JSON, such as the output of a `--query` that selected one value. */
function isScalar(rest: Buffer): boolean {
  return rest[0] === 0x22 || /^(?:null|true|false)\b/.test(rest.toString('latin1', 0, 6));
}

function textBetween(documents: number): JsonError {
  return new JsonError('syntax', `There is text after JSON document ${documents} that is not JSON.`);
}

function skipBlank(bytes: Buffer): Buffer {
  let i = 0;
  while (i < bytes.length && BLANKS.has(bytes[i] as number)) i += 1;
  return bytes.subarray(i);
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);
