import { compactPlan, looksLikePlan, planHash } from '../../../engine/index.ts';
import { compileGlob } from '../../lib/globs.ts';
import { type ArchiveFile, listFiles } from './archive-entries.ts';
import { createUnpacker } from './archive-read.ts';
import { toPlanFault } from './fault.ts';
import { HTTP_LIMITS, pack } from './intake.ts';
import { adviceOn, mayNeedAdvice } from './plan-advice.ts';
import type { ArchiveTask, FoundArchivePlan, OpenedArchive } from './tasks.ts';

/** Maximum number of reported files in an unsupported format. */
const MAX_ADVICE = 5;
const MIB = 1_048_576;

/** Finds the plans in an archive uploaded by a CI run. Never throws, whatever the bytes are. */
export async function openArchive({ zip, options }: ArchiveTask): Promise<OpenedArchive> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  if (isBareJson(bytes)) return openFile(bytes, options);
  const isCandidate = compileMatcher(options);
  const listing = await listFiles(bytes, (path) => isCandidate(path) || mayNeedAdvice(path));
  if (typeof listing === 'string') return { ...NOTHING, refused: listing };

  const unpacker = createUnpacker(bytes, listing.zip, options.max_bytes);
  const candidates = sortByLikelihood(listing.files.filter(({ path }) => isCandidate(path)));
  const found = await readAll(candidates, unpacker, options);
  const problems = [...listing.problems, ...found.problems];
  const plans = problems.length === 0 ? found.plans : [...found.plans, { path: '', error: problems.join(' ') }];
  const { skipped } = found;
  const unpacked_bytes = unpacker.unpackedBytes();
  if (plans.length > 0) return { plans, skipped, unpacked_bytes, refused: null };
  return { plans: await collectAdvice(listing.files, unpacker.peek), skipped, unpacked_bytes, refused: null };
}

const NOTHING: OpenedArchive = { plans: [], skipped: 0, unpacked_bytes: 0, refused: null };

/** GitHub can store a single file without compression. */
function isBareJson(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*\{/.test(bytes.toString('latin1', 0, 100));
}

function openFile(bytes: Buffer, { name, max_bytes, max_plans }: ArchiveTask['options']): OpenedArchive {
  if (max_plans === 0 || bytes.length > max_bytes) {
    return { ...NOTHING, refused: `The file was not read: it is larger than ${formatSize(max_bytes)}.` };
  }
  const unpacked_bytes = bytes.length;
  const plan = readPlan(name, bytes);
  if (plan === null) return { ...NOTHING, skipped: 1, unpacked_bytes };
  return { ...NOTHING, plans: [{ ...plan, path: '' }], unpacked_bytes };
}

function compileMatcher({ name, patterns }: ArchiveTask['options']): (path: string) => boolean {
  const globs = patterns?.map(compileGlob) ?? null;
  return (path) => /\.json$/i.test(path) && (globs === null || globs.some((glob) => glob.matches(`${name}/${path}`)));
}

/** If not all of them can be read, these must be. */
function sortByLikelihood(files: ArchiveFile[]): ArchiveFile[] {
  const [likely, others] = [/plan/i, /^(?!.*plan)/i].map((pattern) => files.filter(({ path }) => pattern.test(path)));
  return [...(likely ?? []), ...(others ?? [])];
}

type Unpacker = ReturnType<typeof createUnpacker>;

async function readAll(files: ArchiveFile[], { unpack }: Unpacker, { max_plans, max_bytes }: ArchiveTask['options']) {
  const plans: FoundArchivePlan[] = [];
  const problems: string[] = [];
  let skipped = 0;
  let more = 0;
  for (const [i, file] of files.entries()) {
    const { path } = file;
    const unpacked = await unpack(file);
    if ('too_large' in unpacked) {
      problems.push(tooLarge(path, files.length - i - 1, max_bytes));
      break;
    }
    const is_full = plans.length >= max_plans;
    if ('error' in unpacked) {
      if (is_full) more += 1;
      else plans.push({ path, error: unpacked.error });
      continue;
    }
    const plan = is_full ? null : readPlan(path, unpacked.bytes);
    if (plan !== null) plans.push(plan);
    else if (is_full && looksLikePlan(path, unpacked.bytes)) more += 1;
    else skipped += 1;
  }
  if (more > 0) problems.push(`${more} more ${more === 1 ? 'plan' : 'plans'} not read; the limit is ${max_plans}.`);
  return { plans, problems, skipped };
}

/** @returns null if the file is something else */
function readPlan(path: string, bytes: Buffer): FoundArchivePlan | null {
  try {
    const plan = compactPlan(bytes, HTTP_LIMITS);
    return { path, plan_hash: planHash(plan), payload: Uint8Array.from(pack(plan)) };
  } catch (error) {
    const fault = toPlanFault(error);
    if (fault === undefined) throw error;
    return looksLikePlan(path, bytes) ? { path, error: fault.message } : null;
  }
}

async function collectAdvice(files: ArchiveFile[], peek: Unpacker['peek']): Promise<FoundArchivePlan[]> {
  const plans: FoundArchivePlan[] = [];
  for (const file of files.filter(({ path }) => mayNeedAdvice(path)).slice(0, MAX_ADVICE)) {
    const error = adviceOn(file.path, await peek(file));
    if (error !== null) plans.push({ path: file.path, error });
  }
  return plans;
}

function tooLarge(path: string, others: number, max_bytes: number): string {
  const what = others === 0 ? 'was' : `and ${others} more *.json ${others === 1 ? 'file' : 'files'} were`;
  return `${path} ${what} not read: at most ${formatSize(max_bytes)} of an archive are unpacked.`;
}

function formatSize(bytes: number): string {
  return bytes >= MIB ? `${Math.floor(bytes / MIB)} MiB` : `${bytes} bytes`;
}
