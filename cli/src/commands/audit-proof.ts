import { checkProof, createEntryProver, type ProofProblem, parseProof } from '../../../engine/index.ts';
import { Failure } from '../failure.ts';
import { describeInput, readAllInput } from '../input.ts';
import { prefixErrors, readDump } from './audit-dump-file.ts';
import type { PackReport } from './pack-verify.ts';

const ENTRY = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})=(\d{1,15})$/i;
const PROBLEM_TEXTS: Readonly<Record<ProofProblem, string>> = {
  entry_changed: 'the entry does not have its hash',
  other_log: 'the proof is for another log or another number of entries than the pack attests',
  not_in_log: 'the log that the pack attests does not have the entry',
};

export interface ProofReport {
  org_id: string | null;
  seq: number | null;
  /** Null if the pack attests a log with the entry. */
  problem: ProofProblem | null;
}

/**
 * Prints a proof that an entry of a dump is in the log that a pack attests.
 *
 * @throws Failure if the dump does not have the log that the pack attests
 */
export async function proveEntry(path: string, options: { entry: string; pack: string }): Promise<void> {
  const [, org_id = '', seq = ''] = ENTRY.exec(options.entry.toLowerCase()) ?? [];
  if (org_id === '') throw new Failure(`--entry ${options.entry}: use <org id>=<seq>`);
  const { verifyPack } = await import('./pack-verify.ts');
  const attested = getAttestation(await verifyPack(options.pack, undefined), options.pack);
  if (attested.org_id !== org_id) throw new Failure(`${options.pack}: it is a pack of organization ${attested.org_id}`);
  const prover = createEntryProver(Number(seq), attested.head_seq);
  await readDump(path, (row) => {
    if (row.org_id === org_id) prover.add(row);
  });
  const { proof, root } = prefixErrors(describeInput(path), prover.prove);
  if (root !== attested.tree_root) {
    throw new Failure(
      `${describeInput(path)}: it is not the log that the pack attests: verify both with dpa audit verify`,
    );
  }
  process.stdout.write(`${JSON.stringify(proof, null, 2)}\n`);
}

/** @throws Failure if the file is no proof, or if the pack has no attestation */
export async function verifyProof(path: string, pack: PackReport): Promise<ProofReport> {
  const attested = getAttestation(pack, 'the pack');
  const bytes = await readAllInput(path, { noun: 'proof', file: 'the file that dpa audit prove has printed' });
  const proof = prefixErrors(describeInput(path), () => parseProof(Buffer.from(bytes).toString('utf8')));
  return { org_id: proof.entry.org_id, seq: proof.entry.seq, problem: checkProof(proof, attested) };
}

function getAttestation({ attestation }: PackReport, name: string) {
  if (attestation === null) throw new Failure(`${name}: it has no valid chain-attestation.json`);
  return attestation;
}

export function renderProof({ org_id, seq, problem }: ProofReport): string {
  if (problem !== null) return `broken  proof of entry ${seq}: ${problem}, ${PROBLEM_TEXTS[problem]}\n`;
  return `proven  entry ${seq} of ${org_id} is in the log that the pack attests\n`;
}
