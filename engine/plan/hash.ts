import { createHash } from 'node:crypto';
import type { CapturedText } from '../json/capture.ts';
import type { ScanHandler, ValueKind } from '../json/scan.ts';
import { createSource } from '../json/source.ts';
import { parseString } from '../json/text.ts';
import { PLAN_ERRORS } from './refusals.ts';

/** Terraform 1.11 writes the entries of this member in a different order on each run. */
const UNORDERED = 'relevant_attributes';

/**
 * Returns a hash of the content of a plan. Plans of the same configuration and state that were created at different
 * times have the same hash.
 *
 * @param compacted the result of `compactPlan`, which contains no timestamp of the run
 * @returns SHA-256 as 64 hex digits
 */
export function planHash(compacted: Uint8Array): string {
  const finder = new ListFinder();
  const source = createSource(finder, PLAN_ERRORS, Number.POSITIVE_INFINITY);
  source.write(compacted);
  source.end();

  const hash = createHash('sha256');
  let done = 0;
  for (const { start, end, entries } of finder.lists) {
    hash.update(compacted.subarray(done, start)).update(JSON.stringify(entries.sort()));
    done = end;
  }
  return hash.update(compacted.subarray(done)).digest('hex');
}

interface UnorderedList {
  /** Byte offsets of its brackets in the text. */
  start: number;
  end: number;
  entries: string[];
}

class ListFinder implements ScanHandler {
  readonly lists: UnorderedList[] = [];
  private name = '';
  private open: UnorderedList | null = null;

  key(depth: number, text: CapturedText): void {
    if (depth === 1) this.name = parseString(text);
  }

  begin(depth: number, kind: ValueKind, at: number): boolean {
    if (depth === 1 && this.name === UNORDERED && kind === 'array') this.open = { start: at, end: at, entries: [] };
    return depth === 2 && this.open !== null;
  }

  end(depth: number, at: number, text: CapturedText | null): void {
    if (this.open === null) return;
    if (depth === 2 && text !== null) this.open.entries.push(text.bytes.toString());
    if (depth !== 1) return;
    this.lists.push({ ...this.open, end: at });
    this.open = null;
  }
}
