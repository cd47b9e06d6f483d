import type { Schemas } from '../../../sdk/src/index.ts';
import { splitRepo } from '../ci-context.ts';
import { type Connection, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { print } from '../output.ts';
import { createStatusLine } from '../progress.ts';
import { renderPattern, writeFixes, writePatterns, writeSuppressions } from './noise-text.ts';

export interface NoiseOptions {
  org?: string;
  url?: string;
  format: 'text' | 'json';
}

type Pattern = Schemas['NoisePattern'];
type Suppression = Schemas['Suppression'];

const FINGERPRINT = /^[0-9a-f]{8,32}$/;
const FINGERPRINT_LENGTH = 32;
const PAGE_SIZE = 200;
/** openapi.yaml, SuppressionCreate */
const MAX_PAIRS = 100;

/** Prints the recurring patterns, most frequent first. */
export async function listNoise(options: NoiseOptions & { repo?: string; suppressed?: boolean }): Promise<void> {
  if (options.repo?.includes('/') === false) throw new Failure(`--repo ${options.repo}: use <owner>/<name>`);
  const { dpa, org_id } = await openConnection(options);
  const query = { ...splitRepo(options.repo), include_suppressed: options.suppressed === true };
  const body = await dpa.call('listPlanNoise', { path: { id: org_id }, query });
  print(options, body, () => writePatterns(body));
}

/** Prints one pattern: where it recurs, the rule that recognizes it, where it is suppressed. */
export async function showNoise(digits: string, options: NoiseOptions): Promise<void> {
  const connection = await openConnection(options);
  const [recurring, live] = [await fetchPatterns(connection), await fetchSuppressions(connection, false)];
  const fingerprint = resolveFingerprint(digits, [...recurring, ...live]);
  const patterns = recurring.filter((one) => one.fingerprint === fingerprint);
  const suppressions = live.filter((one) => one.fingerprint === fingerprint);
  print(options, { patterns, suppressions }, () => renderPattern(fingerprint, patterns, suppressions));
}

export interface SuppressOptions extends NoiseOptions {
  for: Schemas['SuppressionDuration'];
  reason: string;
  /** Addresses where to accept it; default: every address where it recurs. */
  address: string[];
  falsePositive?: boolean;
}

/** Accepts a pattern as noise. */
export async function suppressNoise(digits: string, options: SuppressOptions): Promise<void> {
  const connection = await openConnection(options);
  const { fingerprint, addresses } = await resolveTargets(connection, digits, options.address);
  const body = await connection.dpa.call('suppressPlanNoise', {
    path: { id: connection.org_id },
    body: {
      fingerprints: addresses.map(() => fingerprint),
      resource_addresses: addresses,
      reason: options.reason,
      duration: options.for,
      is_false_positive: options.falsePositive === true,
    },
  });
  print(options, body, () => writeSuppressions(body.suppressions));
}

/** Deletes a suppression. */
export async function unsuppressNoise(suppression_id: string, options: Omit<NoiseOptions, 'format'>): Promise<void> {
  const { dpa, org_id } = await openConnection(options);
  await dpa.call('deleteSuppression', { path: { id: org_id, suppression_id } });
  process.stdout.write(`${suppression_id} is deleted: its pattern is shown again\n`);
}

/** Prints the suppressions, newest first. */
export async function listSuppressed(options: NoiseOptions & { all?: boolean }): Promise<void> {
  const suppressions = await fetchSuppressions(await openConnection(options), options.all === true);
  print(options, { suppressions }, () => writeSuppressions(suppressions));
}

/** Requests ways to fix a pattern and prints them. */
export async function fixNoise(digits: string, options: NoiseOptions & { timeout: number }): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const fingerprint =
    digits.length === FINGERPRINT_LENGTH ? digits : resolveFingerprint(digits, await fetchPatterns(connection));
  const status = createStatusLine();
  status.show('finding ways to fix the pattern');
  try {
    const { job_id } = await dpa.call('generateNoiseFix', { path: { id: org_id, fingerprint } });
    const job = await dpa.waitForJob({ org_id, job_id, kind: 'fix', timeout_ms: options.timeout * 1_000 });
    status.clear();
    print(options, job.result, () => writeFixes(job.result));
  } finally {
    status.clear();
  }
}

async function fetchPatterns({ dpa, org_id }: Connection): Promise<Pattern[]> {
  const query = { include_suppressed: true };
  return (await dpa.call('listPlanNoise', { path: { id: org_id }, query })).patterns;
}

async function fetchSuppressions({ dpa, org_id }: Connection, include_expired: boolean): Promise<Suppression[]> {
  const all: Suppression[] = [];
  const query = { include_expired, limit: PAGE_SIZE };
  for await (const one of dpa.paginate('listSuppressions', { path: { id: org_id }, query })) all.push(one);
  return all;
}

/** Given addresses, and a full fingerprint with given addresses, need not recur yet. */
async function resolveTargets(connection: Connection, digits: string, given_addresses: readonly string[]) {
  if (given_addresses.length > 0 && digits.length === FINGERPRINT_LENGTH)
    return { fingerprint: digits, addresses: [...given_addresses] };
  const recurring = await fetchPatterns(connection);
  const fingerprint = resolveFingerprint(digits, recurring);
  if (given_addresses.length > 0) return { fingerprint, addresses: [...given_addresses] };
  const recurring_addresses = recurring
    .filter((one) => one.fingerprint === fingerprint)
    .map((one) => one.resource_address);
  const addresses = [...new Set(recurring_addresses)];
  if (addresses.length > MAX_PAIRS) {
    throw new Failure(
      `${fingerprint} recurs at ${addresses.length} addresses: select at most ${MAX_PAIRS} with --address`,
    );
  }
  return { fingerprint, addresses };
}

/** @throws Failure unless exactly one known fingerprint begins with these digits */
function resolveFingerprint(digits: string, known: readonly { fingerprint: string }[]): string {
  if (!FINGERPRINT.test(digits)) {
    throw new Failure(`"${digits}" is not a fingerprint: use at least the first 8 of its 32 hexadecimal digits`);
  }
  const matching = new Set(
    known.map(({ fingerprint }) => fingerprint).filter((candidate) => candidate.startsWith(digits)),
  );
  const [only, ...others] = matching;
  if (only === undefined) {
    throw new Failure(
      `no recurring pattern begins with ${digits}: run \`dpa noise list\` to see them; for another pattern, use the full fingerprint and --address`,
    );
  }
  if (others.length > 0) throw new Failure(`${digits} matches several fingerprints: ${[...matching].join(', ')}`);
  return only;
}
