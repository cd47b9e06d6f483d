import {
  type ChainAnchor,
  type ChainFinding,
  type ChainReport,
  createChainsVerification,
  escapeInvisible,
  type PackAttestation,
  parseAnchors,
} from '../../../engine/index.ts';
import { Failure } from '../failure.ts';
import { describeInput, type InputKind, readAllInput } from '../input.ts';
import { print } from '../output.ts';
import { prefixErrors, readDump } from './audit-dump-file.ts';
import { renderProof, verifyProof } from './audit-proof.ts';
import type { PackProblem, PackReport } from './pack-verify.ts';

export interface AuditVerifyOptions {
  expect?: string[];
  anchors?: string[];
  pack?: string;
  checksum?: string;
  proof?: string;
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

/** Verifies a dump of the audit log, a Compliance Pack, or both, prints the result and sets the exit code. */
export async function verifyAudit(path: string | undefined, options: AuditVerifyOptions): Promise<void> {
  const { pack, checksum, proof } = options;
  if (checksum !== undefined && pack === undefined) throw new Failure('--checksum is that of a pack: add --pack');
  if (proof !== undefined && pack === undefined) throw new Failure('--proof is compared with a pack: add --pack');
  if (pack !== undefined) return verifyAuditPack(pack, path, options);
  if (path === undefined) throw new Failure('give a dump of the audit log, or a Compliance Pack with --pack');
  return verifyAuditDump(path, options);
}

/** Verifies the files of a pack and, with a dump, that the log contains the entry that the pack names. */
async function verifyAuditPack(pack_path: string, path: string | undefined, options: AuditVerifyOptions) {
  const { verifyPack } = await import('./pack-verify.ts');
  const pack = await verifyPack(pack_path, options.checksum);
  const chains = path === undefined ? [] : await verifyWithPack(path, pack, options);
  const proof = options.proof === undefined ? null : await verifyProof(options.proof, pack);
  const is_broken =
    pack.status === 'broken' ||
    (proof !== null && proof.problem !== null) ||
    chains.some((chain) => chain.status === 'broken');
  const status = is_broken ? 'broken' : 'ok';
  if (is_broken) process.exitCode = EXIT_BROKEN;
  const write = () => [
    renderPack(pack, path !== undefined),
    proof === null ? '' : renderProof(proof),
    chains.length === 0 ? '' : renderChains(chains),
  ];
  print(options, { status, pack, ...(proof && { proof }), chains }, () => write().join(''));
}

async function verifyWithPack(path: string, { attestation }: PackReport, { expect, anchors }: AuditVerifyOptions) {
  const named = attestation === null ? [] : [attestation];
  return verify(path, [...named, ...(await collectAnchors(expect, anchors))]);
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

async function verify(path: string, anchors: ChainAnchor[]): Promise<ChainReport[]> {
  const verification = createChainsVerification(anchors);
  await readDump(path, (row) => verification.add(row));
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

function renderPack({ sha256, checksum_given, matching_files, problems, attestation }: PackReport, has_dump: boolean) {
  const files = problems.map(({ problem, file }) => {
    return `broken  ${escapeInvisible(file ?? 'the pack')}: ${problem}, ${PROBLEM_TEXTS[problem]}\n`;
  });
  if (problems.length === 0) files.push(`ok      ${matching_files} files match MANIFEST.txt\n`);
  const kept = checksum_given ? '' : ', not compared with a checksum: use --checksum';
  return [
    ...files,
    `sha256  ${sha256}${kept}\n`,
    attestation === null ? '' : renderAttestation(attestation, has_dump),
  ].join('');
}

function renderAttestation({ org_id, head_seq, head_hash, was_intact }: PackAttestation, has_dump: boolean): string {
  const state = was_intact ? 'the log was intact' : 'the log was NOT intact';
  const missing = has_dump ? '' : ', not compared with the log: give a dump of it';
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
