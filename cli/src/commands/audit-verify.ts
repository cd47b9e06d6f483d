import {
  AuditDumpError,
  type ChainAnchor,
  type ChainFinding,
  type ChainReport,
  createChainsVerification,
  parseAnchors,
  parseAuditRow,
} from '../../../engine/index.ts';
import { Failure } from '../failure.ts';
import { describeInput, type InputKind, readAllInput, readInput } from '../input.ts';
import { createLineReader } from '../lines.ts';

export interface AuditVerifyOptions {
  expect?: string[];
  anchors?: string[];
  format: 'text' | 'json';
}

/** Exit code if a chain is broken; 1 means that the dump could not be verified. */
const EXIT_BROKEN = 2;
const MAX_LINE_BYTES = 1_048_576;
const EXPECTATION = /^(platform|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})=(\d{1,15})(?::([0-9a-f]{64}))?$/i;
const DUMP: InputKind = { noun: 'dump', file: 'the file with the dump' };
const ANCHORS: InputKind = { noun: 'anchors', file: 'one of the files in it' };

const FINDING_TEXTS: Readonly<Record<ChainFinding, string>> = {
  seq_gap: 'a row is missing, moved, duplicated or renumbered',
  prev_hash_mismatch: 'the row does not follow the one before it',
  hash_mismatch: 'the row was changed after it was written',
  anchor_hash_mismatch: 'the row differs from the anchor: the chain was rewritten',
  chain_head_below_anchor: 'an anchor exists for this row: rows were deleted from the end',
};

/** Verifies each chain in a dump of the audit log, prints one line per chain and sets the exit code. */
export async function verifyAuditDump(
  path: string,
  { expect = [], anchors: files = [], format }: AuditVerifyOptions,
): Promise<void> {
  const anchors = expect.map(parseExpectation);
  for (const file of files) anchors.push(...(await readAnchors(file)));
  const chains = await verify(path, anchors);
  if (chains.length === 0) throw new Failure(`${describeInput(path)}: contains no rows, so nothing was verified`);
  const status = chains.some((chain) => chain.status === 'broken') ? 'broken' : 'ok';
  if (status === 'broken') process.exitCode = EXIT_BROKEN;
  process.stdout.write(format === 'json' ? `${JSON.stringify({ status, chains }, null, 2)}\n` : renderChains(chains));
}

async function verify(path: string, anchors: ChainAnchor[]): Promise<ChainReport[]> {
  const verification = createChainsVerification(anchors);
  const lines = createLineReader(MAX_LINE_BYTES, (line, number) => {
    verification.add(prefixErrors(`line ${number}`, () => parseAuditRow(line)));
  });
  for await (const chunk of readInput(path, DUMP)) prefixErrors(describeInput(path), () => lines.write(chunk));
  prefixErrors(describeInput(path), lines.end);
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

/** Adds the position in front of an error message. */
function prefixErrors<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AuditDumpError || error instanceof Failure) throw new Failure(`${place}: ${error.message}`);
    throw error;
  }
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
