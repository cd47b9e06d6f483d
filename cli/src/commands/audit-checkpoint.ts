import {
  type AttestedLog,
  type Checkpoint,
  type ConsistencyProblem,
  checkConsistency,
  createMerkleTree,
  openCheckpoint,
  parseConsistencyProof,
  parseVerifierKey,
  type StoredAuditRow,
  toLeaf,
} from '../../../engine/index.ts';
import { Failure } from '../failure.ts';
import { describeInput, readAllInput } from '../input.ts';
import { prefixErrors } from './audit-dump-file.ts';

export interface CheckpointOptions {
  /** File with the signed note. */
  checkpoint?: string;
  /** Verifier key of the log. */
  key?: string;
  /** File with an earlier checkpoint. */
  since?: string;
}

/**
 * Why a checkpoint does not fit what it is compared with:
 * - `log_differs`: the dump has other entries
 * - `log_too_short`: the dump has fewer entries
 * - `pack_differs`: the pack attests another log of this size, or the log of another organization
 */
export type CheckpointProblem = 'log_differs' | 'log_too_short' | 'pack_differs' | ConsistencyProblem;

const PROBLEM_TEXTS: Readonly<Record<CheckpointProblem, string>> = {
  log_differs: 'the entries of the dump are not those that were signed',
  log_too_short: 'the dump has fewer entries than were signed',
  pack_differs: 'the pack attests another log',
  other_checkpoints: 'the proof is for other checkpoints',
  history_changed: 'the later checkpoint does not contain the entries of the earlier one',
};

export interface CheckpointReport extends Checkpoint {
  problem: CheckpointProblem | null;
  /** Number of entries of the earlier checkpoint to which this one only appends entries; null without one. */
  since: number | null;
  /** Whether the entries of a dump, or the attestation of a pack, were compared with it. */
  compared: ('dump' | 'pack')[];
}

/** @throws Failure if the file is not a checkpoint that the key has signed */
export async function readCheckpoint(path: string, key: string | undefined): Promise<Checkpoint> {
  if (key === undefined) throw new Failure('--checkpoint needs the verifier key of the log: add --key');
  const verifier = prefixErrors('--key', () => parseVerifierKey(key));
  const note = await readText(path, 'checkpoint');
  return prefixErrors(describeInput(path), () => openCheckpoint(note, [verifier]));
}

/** Compares a checkpoint with a pack, with the entries of a dump, and with an earlier checkpoint. */
export async function verifyCheckpoint(
  checkpoint: Checkpoint,
  { key, since, proof }: Pick<CheckpointOptions, 'key' | 'since'> & { proof?: string | undefined },
  { pack, dump }: { pack: AttestedLog | null; dump: LogRoot | null },
): Promise<CheckpointReport> {
  const earlier = since === undefined ? null : await readCheckpoint(since, key);
  const is_comparable = pack !== null && (pack.org_id !== checkpoint.org_id || pack.head_seq === checkpoint.size);
  const problem =
    (is_comparable ? compareWithPack(checkpoint, pack) : null) ??
    (dump === null ? null : dump.compare(checkpoint)) ??
    (earlier === null ? null : await compareWithEarlier(earlier, checkpoint, proof));
  const compared = [...(dump === null ? [] : ['dump' as const]), ...(is_comparable ? ['pack' as const] : [])];
  return { ...checkpoint, problem, since: earlier?.size ?? null, compared };
}

function compareWithPack({ org_id, root }: Checkpoint, pack: AttestedLog): CheckpointProblem | null {
  return pack.org_id === org_id && pack.tree_root === root ? null : 'pack_differs';
}

async function compareWithEarlier(earlier: Checkpoint, later: Checkpoint, path: string | undefined) {
  if (path === undefined)
    throw new Failure('--since needs the proof that `dpa audit prove --since` prints: add --proof');
  const text = await readText(path, 'proof');
  return checkConsistency(
    prefixErrors(describeInput(path), () => parseConsistencyProof(text)),
    earlier,
    later,
  );
}

export interface LogRoot {
  add(row: StoredAuditRow): void;
  compare(checkpoint: Checkpoint): CheckpointProblem | null;
}

/** Computes the root over the first entries of a log from the rows of a dump. Their hashes are verified elsewhere. */
export function createLogRoot({ org_id, size }: Checkpoint): LogRoot {
  const tree = createMerkleTree();
  return {
    add(row) {
      if (row.org_id === org_id && tree.size < size) tree.add(toLeaf(row.hash ?? ''));
    },
    compare({ root }) {
      if (tree.size < size) return 'log_too_short';
      return tree.root() === root ? null : 'log_differs';
    },
  };
}

async function readText(path: string, noun: string): Promise<string> {
  return Buffer.from(await readAllInput(path, { noun, file: `the file with the ${noun}` })).toString('utf8');
}

export function renderCheckpoint({ origin, size, root, problem, since, compared }: CheckpointReport): string {
  if (problem !== null) return `broken  checkpoint ${size} of ${origin}: ${problem}, ${PROBLEM_TEXTS[problem]}\n`;
  const rest =
    compared.length === 0 ? ', not compared with a dump or a pack' : `, equals the ${compared.join(' and the ')}`;
  const appended =
    since === null ? '' : `proven  ${size - since} entries were appended since ${since}, none was changed\n`;
  return `signed  ${origin}  size ${size}, root ${root}${rest}\n${appended}`;
}
