import type { Budget } from '../../threads/threads.ts';

const MIB = 1_048_576;
/** Maximum size of a request. Larger inputs come only from the archives of CI runs. */
export const LARGEST_REQUEST_BYTES = 5 * MIB;
/** Maximum unpacked size of all files of an archive. */
export const LARGEST_ARCHIVE_BYTES = 50 * MIB;
/** Ordinary plans compress 7 to 22 times. A plan that compresses more is repetitive and gets no extra time. */
const UNPACKED_PER_PACKED = 30;

/** @param largest_heap_mb what no thread may exceed, however large the input */
export function analysisBudget(input_bytes: number, largest_heap_mb: number): Budget {
  const mib = input_bytes / MIB;
  return { time_ms: Math.min(60_000, 5_000 + 3_000 * mib), heap_mb: Math.min(largest_heap_mb, heapClass(mib)) };
}

/** All requests share the check before the 202, so a body that costs more than any real plan is aborted early. */
export function intakeBudget(input_bytes: number, largest_heap_mb: number): Budget {
  const mib = input_bytes / MIB;
  return { time_ms: 3_000 + 1_000 * mib, heap_mb: Math.min(largest_heap_mb, heapClass(mib)) };
}

/** The heap limit of a thread is fixed, so there are two kinds of threads instead of one per size. */
function heapClass(mib: number): number {
  return mib * MIB <= LARGEST_REQUEST_BYTES ? 192 : 1_024;
}

/**
 * Estimated size of an unpacked plan.
 *
 * @param most the maximum size that its sender could have compressed
 */
export function unpackedBytes(payload: Uint8Array, most = LARGEST_REQUEST_BYTES): number {
  return Math.min(most, payload.byteLength * UNPACKED_PER_PACKED);
}
