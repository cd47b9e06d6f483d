import { isIntact, type StoredAuditRow } from './row.ts';

export type ChainBreak = 'seq_gap' | 'prev_hash_mismatch' | 'hash_mismatch';

export interface ChainWalkResult {
  /** Rows walked, the deviating one included. */
  checked: number;
  /** Of the last row that is as it was written, 0 and empty when none is: a forged number cannot pose as the head. */
  head_seq: number;
  head_hash: string;
  status: 'ok' | 'broken';
  /** The `seq` that was due where the chain deviates; null when it is intact. */
  broken_at_seq: number | null;
  /**
   * - `seq_gap`: the row has another number than the one due
   * - `prev_hash_mismatch`: it does not name the hash of the row before
   * - `hash_mismatch`: it does not hash to its own hash, belongs to another org, or holds what the service never writes
   */
  reason: ChainBreak | null;
}

export interface ChainWalk {
  /** Takes the next row of the chain. After the first deviation rows are ignored. */
  add(row: StoredAuditRow): void;
  readonly broken: boolean;
  result(): ChainWalkResult;
}

/** Checks one chain row by row, in the order of `seq`, and remembers nothing but its head. */
export function createChainWalk(): ChainWalk {
  let checked = 0;
  let org_id: string | null = null;
  let head_seq = 0;
  let head_hash = '';
  let broken_at_seq: number | null = null;
  let reason: ChainBreak | null = null;

  function add(row: StoredAuditRow): void {
    if (reason !== null) return;
    if (checked === 0) org_id = row.org_id;
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
    if (row.prev_hash !== (checked === 0 ? null : head_hash)) return 'prev_hash_mismatch';
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
