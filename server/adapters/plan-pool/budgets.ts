import type { Budget } from '../../threads/threads.ts';

const MIB = 1_048_576;
/** What a request may bring; larger inputs come only from the archives of CI runs. */
export const LARGEST_REQUEST_BYTES = 5 * MIB;
/** All files of an archive, unpacked. */
export const LARGEST_ARCHIVE_BYTES = 50 * MIB;
/** Ordinary plans shrink 7 to 22 times; one that shrinks further is repetitive, and gets no more time for that. */
const UNPACKED_PER_PACKED = 30;

/** @param largest_heap_mb what no thread may exceed, however large the input */
export function analysisBudget(input_bytes: number, largest_heap_mb: number): Budget {
  const mib = input_bytes / MIB;
  return { time_ms: Math.min(60_000, 5_000 + 3_000 * mib), heap_mb: Math.min(largest_heap_mb, heapClass(mib)) };
}

/** Everybody's requests pass through the check before the 202, so a body that costs more than any honest one ends early. */
export function intakeBudget(input_bytes: number, largest_heap_mb: number): Budget {
  const mib = input_bytes / MIB;
  return { time_ms: 3_000 + 1_000 * mib, heap_mb: Math.min(largest_heap_mb, heapClass(mib)) };
}

/** A thread keeps its heap limit for life, so there are two kinds of threads rather than one for each size. */
function heapClass(mib: number): number {
  return mib * MIB <= LARGEST_REQUEST_BYTES ? 192 : 1_024;
}

/**
 * About how many bytes a packed plan unpacks to.
 *
 * @param most what its sender could have packed at most
 */
export function unpackedBytes(payload: Uint8Array, most = LARGEST_REQUEST_BYTES): number {
  return Math.min(most, payload.byteLength * UNPACKED_PER_PACKED);
}
