import {
  type AttestedLog,
  type Checkpoint,
  checkProof,
  createConsistencyProver,
  createEntryProver,
  type ProofProblem,
  parseProof,
  type StoredAuditRow,
} from '../../../engine/index.ts';
import { Failure } from '../failure.ts';
import { describeInput, readAllInput } from '../input.ts';
import { type CheckpointOptions, readCheckpoint } from './audit-checkpoint.ts';
import { prefixErrors, readDump } from './audit-dump-file.ts';
import type { PackReport } from './pack-verify.ts';

const ENTRY = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})=(\d{1,15})$/i;
const PROBLEM_TEXTS: Readonly<Record<ProofProblem, string>> = {
  entry_changed: 'the entry does not have its hash',
  other_log: 'the proof is for another log or another number of entries than the pack or checkpoint attests',
  not_in_log: 'the attested log does not have the entry',
};

export interface ProofReport {
  org_id: string | null;
  seq: number | null;
  /** Null if the attested log has the entry. */
  problem: ProofProblem | null;
}

export interface ProveOptions extends CheckpointOptions {
  entry?: string;
  pack?: string;
}

/**
 * Prints a proof that an entry of a dump is in the log that a pack or a checkpoint attests, or that a checkpoint only
 * appends entries to an earlier one.
 *
 * @throws Failure if the dump does not have the attested log
 */
export async function proveFromDump(path: string, options: ProveOptions): Promise<void> {
  const { entry, since } = options;
  if ((entry === undefined) === (since === undefined)) throw new Failure('give either --entry or --since');
  const proof = entry === undefined ? await proveAppended(path, options) : await proveEntry(path, entry, options);
  process.stdout.write(`${JSON.stringify(proof, null, 2)}\n`);
}

async function proveEntry(path: string, entry: string, options: ProveOptions) {
  const [, org_id = '', seq = ''] = ENTRY.exec(entry.toLowerCase()) ?? [];
  if (org_id === '') throw new Failure(`--entry ${entry}: use <org id>=<seq>`);
  const { attested, name } = await readAttested(options);
  if (attested.org_id !== org_id) throw new Failure(`${name}: it is of organization ${attested.org_id}`);
  const prover = createEntryProver(Number(seq), attested.head_seq);
  return proveRows(path, prover, { org_id, root: attested.tree_root });
}

async function proveAppended(path: string, { since = '', checkpoint, key, pack }: ProveOptions) {
  if (checkpoint === undefined || pack !== undefined) throw new Failure('--since is compared with --checkpoint');
  const [first, second] = [await readCheckpoint(since, key), await readCheckpoint(checkpoint, key)];
  if (first.size < 1 || first.size > second.size) throw new Failure(`${since}: it is not earlier than ${checkpoint}`);
  return proveRows(path, createConsistencyProver(first.size, second.size), second);
}

async function proveRows<Proof>(
  path: string,
  prover: { add(row: StoredAuditRow): void; prove(): { proof: Proof; root: string } },
  { org_id, root: expected }: { org_id: string; root: string | null },
): Promise<Proof> {
  await readDump(path, (row) => {
    if (row.org_id === org_id) prover.add(row);
  });
  const { proof, root } = prefixErrors(describeInput(path), prover.prove);
  if (root === expected) return proof;
  throw new Failure(`${describeInput(path)}: it is not the attested log: verify both with dpa audit verify`);
}

async function readAttested({ pack, checkpoint, key }: ProveOptions): Promise<{ attested: AttestedLog; name: string }> {
  if ((pack === undefined) === (checkpoint === undefined)) throw new Failure('give either --pack or --checkpoint');
  if (checkpoint !== undefined)
    return { attested: toAttested(await readCheckpoint(checkpoint, key)), name: checkpoint };
  const { verifyPack } = await import('./pack-verify.ts');
  const name = pack ?? '';
  return { attested: getAttestation(await verifyPack(name, undefined), name), name };
}

/** The log that a checkpoint fixes. */
export function toAttested({ org_id, size, root }: Checkpoint): AttestedLog {
  return { org_id, head_seq: size, tree_root: root };
}

/** @throws Failure if the file is no proof */
export async function verifyProof(path: string, attested: AttestedLog): Promise<ProofReport> {
  const bytes = await readAllInput(path, { noun: 'proof', file: 'the file that dpa audit prove has printed' });
  const proof = prefixErrors(describeInput(path), () => parseProof(Buffer.from(bytes).toString('utf8')));
  return { org_id: proof.entry.org_id, seq: proof.entry.seq, problem: checkProof(proof, attested) };
}

/** @throws Failure if the pack has no attestation */
export function getAttestation({ attestation }: Pick<PackReport, 'attestation'>, name: string) {
  if (attestation === null) throw new Failure(`${name}: it has no valid chain-attestation.json`);
  return attestation;
}

export function renderProof({ org_id, seq, problem }: ProofReport): string {
  if (problem !== null) return `broken  proof of entry ${seq}: ${problem}, ${PROBLEM_TEXTS[problem]}\n`;
  return `proven  entry ${seq} of ${org_id} is in the attested log\n`;
}
