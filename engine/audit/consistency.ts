/** Proofs that a later checkpoint of an audit log only appends entries to an earlier one. */
import { isObject } from '../lib/is-object.ts';
import type { Checkpoint } from './checkpoint.ts';
import { AuditDumpError } from './dump.ts';
import { createMerkleProver } from './merkle.ts';
import { isConsistent } from './merkle-verify.ts';
import { isProofPath, parseProofMembers, toLeaf } from './proof.ts';
import type { StoredAuditRow } from './row.ts';
import { createChainWalk } from './walk.ts';

const VERSION = 'v1';

/** @see docs/audit-log.md, "Compare two checkpoints" */
export interface ConsistencyProof {
  version: typeof VERSION;
  first_size: number;
  second_size: number;
  /** Hashes from the end of the earlier tree to the root of the later one, 64 lowercase hex digits each. */
  path: string[];
}

export interface ConsistencyProver {
  /** Adds the next row of the chain; those after the later checkpoint are ignored. */
  add(row: StoredAuditRow): void;
  /** @throws AuditDumpError if the rows are not an intact chain that reaches the later checkpoint */
  prove(): { proof: ConsistencyProof; root: string };
}

/** Proves from the rows of a chain that the tree of `first_size` entries is the beginning of that of `second_size`. */
export function createConsistencyProver(first_size: number, second_size: number): ConsistencyProver {
  const walk = createChainWalk();
  const tree = createMerkleProver();

  function add(row: StoredAuditRow): void {
    if (tree.size >= second_size) return;
    walk.add(row);
    if (!walk.broken) tree.add(toLeaf(row.hash ?? ''));
  }

  function prove(): { proof: ConsistencyProof; root: string } {
    const { broken_at_seq, reason } = walk.result();
    if (reason !== null) throw new AuditDumpError(`the chain is broken at seq ${broken_at_seq}: ${reason}`);
    if (tree.size < second_size) {
      throw new AuditDumpError(`the chain has ${tree.size} rows, but the checkpoint has ${second_size}`);
    }
    const path = tree.proveConsistency(first_size);
    return { proof: { version: VERSION, first_size, second_size, path }, root: tree.root() };
  }

  return { add, prove };
}

/** Whether the text is a proof of consistency, in contrast to that of an entry. */
export function isConsistencyProof(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) && 'first_size' in value;
  } catch {
    return false;
  }
}

/** @throws AuditDumpError if it is no proof of this version */
export function parseConsistencyProof(json: string): ConsistencyProof {
  const { first_size, second_size, path } = parseProofMembers(json);
  if (!Number.isSafeInteger(first_size) || !Number.isSafeInteger(second_size) || !isProofPath(path)) {
    throw new AuditDumpError('first_size, second_size or path is invalid');
  }
  return { version: VERSION, first_size: first_size as number, second_size: second_size as number, path };
}

/**
 * Why a proof fails:
 * - `other_checkpoints`: it is for other numbers of entries, or the checkpoints are of two logs
 * - `history_changed`: the later checkpoint does not contain the entries of the earlier one
 */
export type ConsistencyProblem = 'other_checkpoints' | 'history_changed';

/** @returns null if the later checkpoint only appends entries */
export function checkConsistency(
  { first_size, second_size, path }: ConsistencyProof,
  first: Checkpoint,
  second: Checkpoint,
): ConsistencyProblem | null {
  const fits = first.origin === second.origin && first.size === first_size && second.size === second_size;
  if (!fits) return 'other_checkpoints';
  return isConsistent(first, second, path) ? null : 'history_changed';
}
