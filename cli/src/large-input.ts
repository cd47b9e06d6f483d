import { setFlagsFromString } from 'node:v8';

const LARGE_BYTES = 60_000;
let isPrepared = false;

/**
 * By default the heap can grow to four times its live size, which wastes memory of a CI runner. V8 also optimizes functions
 * after tens of milliseconds, which costs more than it saves in such a short process; in Node 20 it can be configured to
 * wait longer. A small input needs neither: with other flags, V8 does not use the code cache that is built into Node.
 *
 * @param bytes how much of the input was read so far
 */
export function prepareForBytes(bytes: number): void {
  if (isPrepared || bytes <= LARGE_BYTES) return;
  isPrepared = true;
  setFlagsFromString('--heap-growing-percent=30');
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=300000');
}
