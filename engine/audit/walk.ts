import { isIntact, type StoredAuditRow } from './row.ts';

export type ChainBreak = 'seq_gap' | 'prev_hash_mismatch' | 'hash_mismatch';

export interface ChainWalkResult {
  /** Number of rows checked, including the deviating one. */
  checked: number;
  /** `seq` and hash of the last intact row; 0 and empty if there is none, so that a forged row is never the head. */
  head_seq: number;
  head_hash: string;
  status: 'ok' | 'broken';
  /** Expected `seq` where the chain deviates; null if it is intact. */
  broken_at_seq: number | null;
  /**
   * - `seq_gap`: the row does not have the expected number
   * - `prev_hash_mismatch`: `prev_hash` is not the hash of the previous row
   * - `hash_mismatch`: the hash is wrong, the row belongs to another organization, or contains values the service never
   *   writes
   */
  reason: ChainBreak | null;
}

export interface ChainWalk {
  /** Adds the next row of the chain. Rows after the first deviation are ignored. */
  add(row: StoredAuditRow): void;
  readonly broken: boolean;
  result(): ChainWalkResult;
}

/** An intact row after which a walk begins. */
export interface ChainPosition {
  org_id: string | null;
  seq: number;
  hash: string;
}

/**
 * Verifies one chain row by row in the order of `seq`; keeps only its head in memory.
 *
 * @param after the last row that was verified before; by default the walk begins with the first row
 */
export function createChainWalk(after?: ChainPosition): ChainWalk {
  let checked = 0;
  let org_id = after?.org_id ?? null;
  let head_seq = after?.seq ?? 0;
  let head_hash = after?.hash ?? '';
  let broken_at_seq: number | null = null;
  let reason: ChainBreak | null = null;

  function add(row: StoredAuditRow): void {
    if (reason !== null) return;
    if (checked === 0 && after === undefined) org_id = row.org_id;
    reason = deviation(row);
    checked += 1;
    if (reason !== null) {
      broken_at_seq = head_seq + 1;
      return;
    }
    head_seq += 1;
    head_hash = row.hash ?? '';
  }

  function deviation(row: StoredAuditRow): ChainBreak | null {
    if (row.seq !== head_seq + 1) return 'seq_gap';
    if (row.prev_hash !== (head_seq === 0 ? null : head_hash)) return 'prev_hash_mismatch';
    return row.org_id === org_id && isIntact(row) ? null : 'hash_mismatch';
  }

  return {
    add,
    get broken() {
      return reason !== null;
    },
    result: () => ({
      checked,
      head_seq,
      head_hash,
      status: reason === null ? 'ok' : 'broken',
      broken_at_seq,
      reason,
    }),
  };
}
