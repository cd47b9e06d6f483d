import {
  type AttestedLog,
  type ChainAnchor,
  type ChainFinding,
  type ChainReport,
  type Checkpoint,
  createChainsVerification,
  escapeInvisible,
  type PackAttestation,
  parseAnchors,
  type StoredAuditRow,
} from '../../../engine/index.ts';
import type { ConnectionOptions } from '../connection.ts';
import { Failure } from '../failure.ts';
import { describeInput, type InputKind, readAllInput } from '../input.ts';
import { print } from '../output.ts';
import {
  type CheckpointOptions,
  type CheckpointReport,
  createLogRoot,
  readCheckpoint,
  renderCheckpoint,
  verifyCheckpoint,
} from './audit-checkpoint.ts';
import { prefixErrors, readDump } from './audit-dump-file.ts';
import { type LiveReport, renderLive, verifyLive } from './audit-live.ts';
import { getAttestation, type ProofReport, renderProof, toAttested, verifyProof } from './audit-proof.ts';
import type { PackProblem, PackReport } from './pack-verify.ts';

export interface AuditVerifyOptions extends CheckpointOptions, ConnectionOptions {
  expect?: string[];
  anchors?: string[];
  pack?: string;
  checksum?: string;
  proof?: string;
  /** Also asks the service. */
  live?: boolean;
  format: 'text' | 'json';
}

/** Exit code if a chain is broken; 1 means that the dump could not be verified. */
const EXIT_BROKEN = 2;
const EXPECTATION = /^(platform|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})=(\d{1,15})(?::([0-9a-f]{64}))?$/i;
const ANCHORS: InputKind = { noun: 'anchors', file: 'one of the files in it' };

const FINDING_TEXTS: Readonly<Record<ChainFinding, string>> = {
  seq_gap: 'a row is missing, moved, duplicated or renumbered',
  prev_hash_mismatch: 'the row does not follow the one before it',
  hash_mismatch: 'the row was changed after it was written',
  anchor_hash_mismatch: 'the row differs from the anchor: the chain was rewritten',
  chain_head_below_anchor: 'an anchor exists for this row: rows were deleted from the end',
};

const PROBLEM_TEXTS: Readonly<Record<PackProblem, string>> = {
  checksum_mismatch: 'the ZIP file is not the one with this checksum',
  unreadable: 'this is not a complete ZIP file',
  file_missing: 'the manifest lists it, but the pack does not contain it',
  file_not_listed: 'the manifest does not list it',
  file_changed: 'its hash differs from the one in the manifest',
  manifest_invalid: 'the manifest is missing or has another form',
  attestation_invalid: 'the attestation is missing or has another form',
};

/** Verifies a dump of the audit log, a Compliance Pack, a checkpoint, or several, prints the result and sets the exit code. */
export async function verifyAudit(path: string | undefined, options: AuditVerifyOptions): Promise<void> {
  const { pack, checkpoint } = options;
  assertOptions(options);
  if (pack !== undefined || checkpoint !== undefined) return verifyEvidence(path, options);
  if (path === undefined) {
    throw new Failure('give a dump of the audit log, a Compliance Pack with --pack, or a checkpoint with --checkpoint');
  }
  return verifyAuditDump(path, options);
}

function assertOptions({ pack, checkpoint, checksum, proof, since, live }: AuditVerifyOptions): void {
  const has_evidence = pack !== undefined || checkpoint !== undefined;
  if (checksum !== undefined && pack === undefined) throw new Failure('--checksum is that of a pack: add --pack');
  if (live === true && pack === undefined) throw new Failure('--live compares a pack with the service: add --pack');
  if (proof !== undefined && !has_evidence) {
    throw new Failure('--proof is compared with a pack or a checkpoint: add --pack or --checkpoint');
  }
  if (since !== undefined && checkpoint === undefined) throw new Failure('--since is compared with --checkpoint');
}

/** Verifies a pack and a checkpoint, and compares them with the log in a dump or of the service. */
async function verifyEvidence(path: string | undefined, options: AuditVerifyOptions): Promise<void> {
  const { proof: proof_path, since } = options;
  const pack = options.pack === undefined ? null : await openPack(options.pack, options.checksum);
  const signed = options.checkpoint === undefined ? null : await readCheckpoint(options.checkpoint, options.key);
  const dump = path === undefined || signed === null ? null : createLogRoot(signed);
  const chains = path === undefined ? [] : await verify(path, await collectAllAnchors(pack, options), dump?.add);
  const attestation = pack?.attestation ?? null;
  const checkpoint = signed && (await verifyCheckpoint(signed, options, { pack: attestation, dump }));
  const is_entry = proof_path !== undefined && since === undefined;
  const proof = is_entry ? await verifyProof(proof_path, getAttested(pack, signed)) : null;
  const live = options.live === true && attestation !== null ? await verifyLive(attestation, options) : null;
  const parts = { pack, checkpoint, proof, live, chains };
  const status = isBroken(parts) ? 'broken' : 'ok';
  if (status === 'broken') process.exitCode = EXIT_BROKEN;
  const given = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== null));
  print(options, { status, ...given }, () => renderEvidence(parts, path !== undefined || live !== null));
}

function getAttested(pack: PackReport | null, signed: Checkpoint | null): AttestedLog {
  if (signed !== null) return toAttested(signed);
  return getAttestation(pack ?? { attestation: null }, 'the pack');
}

interface Evidence {
  pack: PackReport | null;
  checkpoint: CheckpointReport | null;
  proof: ProofReport | null;
  live: LiveReport | null;
  chains: ChainReport[];
}

function isBroken({ pack, checkpoint, proof, live, chains }: Evidence): boolean {
  const has_problem = [checkpoint, proof, live].some((one) => one !== null && one.problem !== null);
  return has_problem || pack?.status === 'broken' || chains.some((chain) => chain.status === 'broken');
}

function renderEvidence({ pack, checkpoint, proof, live, chains }: Evidence, is_compared: boolean): string {
  return [
    pack === null ? '' : renderPack(pack, is_compared),
    checkpoint === null ? '' : renderCheckpoint(checkpoint),
    proof === null ? '' : renderProof(proof),
    live === null ? '' : renderLive(live),
    chains.length === 0 ? '' : renderChains(chains),
  ].join('');
}

async function openPack(path: string, checksum: string | undefined): Promise<PackReport> {
  const { verifyPack } = await import('./pack-verify.ts');
  return verifyPack(path, checksum);
}

async function collectAllAnchors(pack: PackReport | null, { expect, anchors }: AuditVerifyOptions) {
  const attestation = pack?.attestation ?? null;
  return [...(attestation === null ? [] : [attestation]), ...(await collectAnchors(expect, anchors))];
}

async function collectAnchors(expect: readonly string[] = [], files: readonly string[] = []): Promise<ChainAnchor[]> {
  const anchors = expect.map(parseExpectation);
  for (const file of files) anchors.push(...(await readAnchors(file)));
  return anchors;
}

/** Verifies each chain in a dump, prints one line per chain and sets the exit code. */
async function verifyAuditDump(path: string, { expect, anchors: files, format }: AuditVerifyOptions): Promise<void> {
  const chains = await verify(path, await collectAnchors(expect, files));
  if (chains.length === 0) throw new Failure(`${describeInput(path)}: contains no rows, so nothing was verified`);
  const status = chains.some((chain) => chain.status === 'broken') ? 'broken' : 'ok';
  if (status === 'broken') process.exitCode = EXIT_BROKEN;
  print({ format }, { status, chains }, () => renderChains(chains));
}

async function verify(
  path: string,
  anchors: ChainAnchor[],
  onRow: (row: StoredAuditRow) => void = () => {},
): Promise<ChainReport[]> {
  const verification = createChainsVerification(anchors);
  await readDump(path, (row) => {
    verification.add(row);
    onRow(row);
  });
  return verification.result();
}

async function readAnchors(path: string): Promise<ChainAnchor[]> {
  const bytes = await readAllInput(path, ANCHORS);
  return prefixErrors(describeInput(path), () => parseAnchors(Buffer.from(bytes).toString('utf8')));
}

function parseExpectation(text: string): ChainAnchor {
  const [, chain, seq, hash = ''] = EXPECTATION.exec(text) ?? [];
  if (chain === undefined) {
    throw new Failure(
      `--expect ${text}: use <org id>=<seq> or platform=<seq>, optionally with :<64 hex digits> for the hash`,
    );
  }
  const name = chain.toLowerCase();
  return { org_id: name === 'platform' ? null : name, head_seq: Number(seq), head_hash: hash.toLowerCase() };
}

function renderPack(
  { sha256, checksum_given, matching_files, problems, attestation }: PackReport,
  is_compared: boolean,
) {
  const files = problems.map(({ problem, file }) => {
    return `broken  ${escapeInvisible(file ?? 'the pack')}: ${problem}, ${PROBLEM_TEXTS[problem]}\n`;
  });
  if (problems.length === 0) files.push(`ok      ${matching_files} files match MANIFEST.txt\n`);
  const kept = checksum_given ? '' : ', not compared with a checksum: use --checksum';
  return [
    ...files,
    `sha256  ${sha256}${kept}\n`,
    attestation === null ? '' : renderAttestation(attestation, is_compared),
  ].join('');
}

function renderAttestation({ org_id, head_seq, head_hash, was_intact }: PackAttestation, is_compared: boolean): string {
  const state = was_intact ? 'the log was intact' : 'the log was NOT intact';
  const missing = is_compared ? '' : ', not compared with the log: give a dump of it, or use --live';
  return `attests ${org_id}  head ${head_seq}:${head_hash}, ${state}${missing}\n`;
}

function renderChains(chains: ChainReport[]): string {
  const broken = chains.filter((chain) => chain.status === 'broken').length;
  const rows = chains.reduce((sum, chain) => sum + chain.checked, 0);
  const verdict = broken === 0 ? 'all intact' : `${broken} broken`;
  return `${chains.map(renderChain).join('')}chains: ${chains.length}, rows: ${rows}, ${verdict}\n`;
}

function renderChain({ org_id, reason, broken_at_seq, head_seq, head_hash, anchored_seq }: ChainReport): string {
  const name = (org_id ?? 'platform').padEnd(36);
  if (reason !== null) return `broken  ${name}  at seq ${broken_at_seq}: ${reason}, ${FINDING_TEXTS[reason]}\n`;
  const anchor = anchored_seq === 0 ? 'no anchor' : `anchored at seq ${anchored_seq}`;
  return `ok      ${name}  head ${head_seq}:${head_hash}, ${anchor}\n`;
}
