import type { ChainWalkResult } from '../../../engine/index.ts';
import type { ChainHead } from './types.ts';

/**
 * Compares the end of an intact chain with its head, which is stored separately: a truncated chain is intact in itself,
 * and only the head reveals it.
 */
export function compareWithHead(walked: ChainWalkResult, head: ChainHead): ChainWalkResult {
  if (walked.status === 'broken') return walked;
  if (head.seq > walked.head_seq)
    return { ...walked, status: 'broken', broken_at_seq: walked.head_seq + 1, reason: 'seq_gap' };
  // Rows that were not written by audit_append.
  if (head.seq < walked.head_seq)
    return { ...walked, status: 'broken', broken_at_seq: head.seq + 1, reason: 'seq_gap' };
  if ((head.hash ?? '') === walked.head_hash) return walked;
  return { ...walked, status: 'broken', broken_at_seq: walked.head_seq, reason: 'hash_mismatch' };
}
