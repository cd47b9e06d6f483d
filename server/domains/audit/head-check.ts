import type { ChainWalkResult } from '../../../engine/index.ts';
import type { ChainHead } from './types.ts';

/**
 * Holds the end of an intact chain against its head, which is kept apart from the rows: a cut tail leaves an intact
 * chain, and only the head still knows of it.
 */
export function compareWithHead(walked: ChainWalkResult, head: ChainHead): ChainWalkResult {
  if (walked.status === 'broken') return walked;
  if (head.seq > walked.head_seq)
    return { ...walked, status: 'broken', broken_at_seq: walked.head_seq + 1, reason: 'seq_gap' };
  // Rows that did not come by the one door.
  if (head.seq < walked.head_seq)
    return { ...walked, status: 'broken', broken_at_seq: head.seq + 1, reason: 'seq_gap' };
  if ((head.hash ?? '') === walked.head_hash) return walked;
  return { ...walked, status: 'broken', broken_at_seq: walked.head_seq, reason: 'hash_mismatch' };
}
