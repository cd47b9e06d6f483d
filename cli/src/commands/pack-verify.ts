import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { AuditDumpError, type PackAttestation, parseAttestation } from '../../../engine/index.ts';
import { Failure } from '../failure.ts';
import { readInput } from '../input.ts';

const MANIFEST = 'MANIFEST.txt';
const ATTESTATION = 'chain-attestation.json';
const MANIFEST_LINE = /^([0-9a-f]{64}) {2}([A-Za-z0-9_.-]{1,100})$/;
/** The manifest and the attestation are read into memory. */
const MOST_KEPT_BYTES = 65_536;
/** Many times the number of files of a pack. */
const MOST_FILES = 100;

/**
 * What is wrong with a pack:
 * - `checksum_mismatch`: the ZIP file is not the one with the given checksum
 * - `unreadable`: it is not a ZIP file, or a file in it cannot be unpacked
 * - `file_missing`, `file_not_listed`, `file_changed`: the files differ from MANIFEST.txt
 * - `manifest_invalid`, `attestation_invalid`: MANIFEST.txt or chain-attestation.json is missing or has another form
 */
export type PackProblem =
  | 'checksum_mismatch'
  | 'unreadable'
  | 'file_missing'
  | 'file_not_listed'
  | 'file_changed'
  | 'manifest_invalid'
  | 'attestation_invalid';

export interface PackReport {
  status: 'ok' | 'broken';
  /** SHA-256 of the ZIP file. */
  sha256: string;
  /** Whether `sha256` was compared with a checksum that was kept elsewhere; without it, all files can be forged. */
  checksum_given: boolean;
  /** Number of files that match the manifest. */
  matching_files: number;
  problems: { problem: PackProblem; file: string | null }[];
  /** Null if it is not valid. */
  attestation: PackAttestation | null;
}

interface UnpackedFile {
  sha256: string;
  /** Empty for a file that is larger than those that are read. */
  text: string;
}

/**
 * Verifies the files of a Compliance Pack at constant memory.
 *
 * @param checksum SHA-256 that the download gave, 64 hex digits
 * @throws Failure if the file cannot be read, or for an invalid checksum
 */
export async function verifyPack(path: string, checksum: string | undefined): Promise<PackReport> {
  if (checksum !== undefined && !/^[0-9a-f]{64}$/i.test(checksum)) {
    throw new Failure(`--checksum ${checksum}: give the 64 hex digits of X-Checksum-SHA256`);
  }
  const sha256 = await hashFile(path);
  const problems: PackReport['problems'] = [];
  if (checksum !== undefined && checksum.toLowerCase() !== sha256) {
    problems.push({ problem: 'checksum_mismatch', file: null });
  }
  const files = await unpack(path, problems);
  const listed = readManifest(files.get(MANIFEST)?.text, problems);
  const matching_files = compareFiles(files, listed, problems);
  const attestation = readAttestation(files.get(ATTESTATION)?.text, problems);
  const status = problems.length === 0 ? 'ok' : 'broken';
  return { status, sha256, checksum_given: checksum !== undefined, matching_files, problems, attestation };
}

async function hashFile(path: string): Promise<string> {
  if (path === '-') throw new Failure('a pack cannot be read from standard input: give the name of the ZIP file');
  const hash = createHash('sha256');
  for await (const chunk of readInput(path, { noun: 'pack', file: 'the ZIP file' })) hash.update(chunk);
  return hash.digest('hex');
}

/** The files up to the first one that cannot be unpacked. */
async function unpack(path: string, problems: PackReport['problems']): Promise<Map<string, UnpackedFile>> {
  const files = new Map<string, UnpackedFile>();
  let current: string | null = null;
  let archive: ZipFile | undefined;
  try {
    archive = await openPromise(path, { lazyEntries: true, strictFileNames: true });
    for await (const entry of archive.eachEntry()) {
      current = entry.fileName;
      if (files.has(current) || files.size === MOST_FILES) throw new Error('too many files');
      files.set(current, await readEntry(entry, await archive.openReadStreamPromise(entry)));
    }
  } catch {
    problems.push({ problem: 'unreadable', file: current });
  } finally {
    archive?.close();
  }
  return files;
}

async function readEntry({ uncompressedSize }: Entry, stream: Readable): Promise<UnpackedFile> {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    if (uncompressedSize <= MOST_KEPT_BYTES) kept.push(chunk);
  }
  return { sha256: hash.digest('hex'), text: Buffer.concat(kept).toString('utf8') };
}

/** @returns the listed hash of each file */
function readManifest(text: string | undefined, problems: PackReport['problems']): Map<string, string> {
  const listed = new Map<string, string>();
  const lines = (text ?? '').split('\n');
  const is_ended = lines.pop() === '';
  for (const line of lines) {
    const [, sha256, name] = MANIFEST_LINE.exec(line) ?? [];
    if (sha256 !== undefined && name !== undefined && name !== MANIFEST) listed.set(name, sha256);
  }
  if (!is_ended || listed.size === 0 || listed.size !== lines.length) {
    problems.push({ problem: 'manifest_invalid', file: MANIFEST });
  }
  return listed;
}

/** @returns the number of files that match */
function compareFiles(
  files: ReadonlyMap<string, UnpackedFile>,
  listed: ReadonlyMap<string, string>,
  problems: PackReport['problems'],
): number {
  let matching = 0;
  for (const [file, sha256] of listed) {
    const found = files.get(file);
    if (found?.sha256 === sha256) matching += 1;
    else problems.push({ problem: found === undefined ? 'file_missing' : 'file_changed', file });
  }
  for (const file of files.keys()) {
    if (file !== MANIFEST && !listed.has(file)) problems.push({ problem: 'file_not_listed', file });
  }
  return matching;
}

function readAttestation(text: string | undefined, problems: PackReport['problems']): PackAttestation | null {
  try {
    return parseAttestation(text ?? '');
  } catch (error) {
    if (!(error instanceof AuditDumpError)) throw error;
    problems.push({ problem: 'attestation_invalid', file: ATTESTATION });
    return null;
  }
}
