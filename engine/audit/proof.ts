/** Proofs that one entry is in the audit log that a Compliance Pack or a checkpoint attests, without the other entries. */
import { isObject } from '../lib/is-object.ts';
import { AuditDumpError, parseAuditRow } from './dump.ts';
import { createMerkleProver } from './merkle.ts';
import { computeProvenRoot } from './merkle-verify.ts';
import { isIntact, type StoredAuditRow } from './row.ts';
import { createChainWalk } from './walk.ts';

const VERSION = 'v1';
const HASH = /^[0-9a-f]{64}$/;
/** More than a tree of any size that a number can count. */
const LONGEST_PATH = 64;

/** @see docs/audit-log.md, "Prove one entry" */
export interface EntryProof {
  version: typeof VERSION;
  entry: StoredAuditRow;
  /** Number of entries of the log that the proof is for. */
  tree_size: number;
  /** Hashes from the entry to the root, 64 lowercase hex digits each. */
  path: string[];
}

export interface EntryProver {
  /** Adds the next row of the chain; those after `tree_size` are ignored. */
  add(row: StoredAuditRow): void;
  /** @throws AuditDumpError if the rows up to `tree_size` are not an intact chain that has the entry */
  prove(): { proof: EntryProof; root: string };
}

/**
 * Proves an entry from the rows of its chain.
 *
 * @param seq of the entry
 * @param tree_size number of rows of the tree; undefined for all rows
 */
export function createEntryProver(seq: number, tree_size: number | undefined): EntryProver {
  const walk = createChainWalk();
  const tree = createMerkleProver();
  let entry: StoredAuditRow | undefined;

  function add(row: StoredAuditRow): void {
    if (tree_size !== undefined && tree.size >= tree_size) return;
    walk.add(row);
    if (walk.broken) return;
    tree.add(toLeaf(row.hash ?? ''));
    if (row.seq === seq) entry = row;
  }

  function prove(): { proof: EntryProof; root: string } {
    const { broken_at_seq, reason } = walk.result();
    if (reason !== null) throw new AuditDumpError(`the chain is broken at seq ${broken_at_seq}: ${reason}`);
    if (tree_size !== undefined && tree.size < tree_size) {
      throw new AuditDumpError(`the chain has ${tree.size} rows, but ${tree_size} are attested`);
    }
    if (entry === undefined) throw new AuditDumpError(`no entry has seq ${seq}: the log has ${tree.size} entries`);
    const proof: EntryProof = { version: VERSION, entry, tree_size: tree.size, path: tree.prove(seq - 1) };
    return { proof, root: tree.root() };
  }

  return { add, prove };
}

/**
 * Parses a proof.
 *
 * @throws AuditDumpError if it is no proof of this version
 */
export function parseProof(json: string): EntryProof {
  const { entry, tree_size, path } = parseProofMembers(json);
  if (!isProofPath(path) || !Number.isSafeInteger(tree_size)) throw new AuditDumpError('tree_size or path is invalid');
  const row = parseAuditRow(JSON.stringify(entry ?? null));
  return { version: VERSION, entry: row, tree_size: tree_size as number, path };
}

/** The members of a proof of any kind. @throws AuditDumpError if it is no proof of this version */
export function parseProofMembers(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new AuditDumpError('is not JSON');
  }
  if (!isObject(value) || value['version'] !== VERSION) throw new AuditDumpError('is not a proof of version v1');
  return value;
}

export function isProofPath(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= LONGEST_PATH &&
    value.every((one) => typeof one === 'string' && HASH.test(one))
  );
}

/** The log that a pack or a checkpoint attests. */
export interface AttestedLog {
  org_id: string;
  /** Number of entries. */
  head_seq: number;
  /** Root of the tree over all entries; null if there is none. */
  tree_root: string | null;
}

/**
 * Why a proof fails:
 * - `entry_changed`: the entry does not have its hash
 * - `other_log`: the pack or checkpoint attests another log, or another number of entries, or no tree
 * - `not_in_log`: the entry is not in the attested log
 */
export type ProofProblem = 'entry_changed' | 'other_log' | 'not_in_log';

/** @returns null if the attested log has this entry */
export function checkProof({ entry, tree_size, path }: EntryProof, attested: AttestedLog): ProofProblem | null {
  if (!isIntact(entry) || entry.hash === null || entry.seq === null) return 'entry_changed';
  if (entry.org_id !== attested.org_id || tree_size !== attested.head_seq || attested.tree_root === null) {
    return 'other_log';
  }
  const root = computeProvenRoot(toLeaf(entry.hash), { index: entry.seq - 1, size: tree_size, path });
  return root === attested.tree_root ? null : 'not_in_log';
}

/** A leaf of the tree is the hash of a row as 32 bytes. */
export function toLeaf(row_hash: string): Uint8Array {
  return Buffer.from(row_hash, 'hex');
}
