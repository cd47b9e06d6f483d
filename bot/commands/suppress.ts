import { type Acceptance, escapeInvisible, inertName, predictAcceptance } from '../../engine/index.ts';
import { groupByFingerprint, matchFingerprints, type PlanChange } from './fingerprints.ts';
import { buildList, codeBlock, type Part, writeBody } from './markdown.ts';
import { formatShellCommand } from './shell.ts';
import type { Command, CommandContext, Duration } from './types.ts';

type SuppressCommand = Extract<Command, { verb: 'suppress' }>;

const DAY_MS = 86_400_000;
/** Maximum size of all addresses in the command, in UTF-8 bytes. */
const MAX_ADDRESSES = 2_500;

/** What a suppression of its pattern does to a change. */
export const ACCEPTANCE_LABELS: Record<Acceptance, string> = {
  hides: 'hidden',
  differs: 'still shown: other attributes differ too',
  unsure: 'hidden if all other differences are noise, which the result does not show',
  is_noise: 'already counts as noise',
  guarded: 'still counts in full, because it destroys something or weakens security',
};
/** Cases in which a suppression has no effect. */
const INEFFECTIVE: ReadonlySet<Acceptance> = new Set(['is_noise', 'guarded']);

interface PredictedChange extends PlanChange {
  acceptance: Acceptance;
}

/** Shows what a suppression would hide in this pull request, and the command with which an owner or admin creates it. */
export function previewSuppression(command: SuppressCommand, { plans, org }: CommandContext, now: Date): string {
  const patterns = groupByFingerprint(plans);
  const [fingerprint, ...others] = matchFingerprints(command.fingerprint, patterns.keys());
  if (fingerprint === undefined) return describeUnknownPattern(command.fingerprint);
  if (others.length > 0) return describeAmbiguousPrefix(command.fingerprint, [fingerprint, ...others]);
  const all = (patterns.get(fingerprint) ?? []).map(
    (found): PredictedChange => ({ ...found, acceptance: predictAcceptance(found.change) }),
  );
  return writeBody([
    `This is a preview. Suppressing ${inertName(fingerprint)} ${formatEnd(command.duration, now)} would have this effect:`,
    buildList('In this pull request:', all.map(formatPrediction), 'changes'),
    ...commandPart(command, { fingerprint, slug: org.slug, all }),
  ]);
}

export function describeUnknownPattern(prefix: string): string {
  return `No change in this pull request has the pattern ${inertName(prefix)}. Use \`/drift noise\` to list its patterns.`;
}

export function describeAmbiguousPrefix(prefix: string, fingerprints: readonly string[]): string {
  return writeBody([
    buildList(`${inertName(prefix)} matches several fingerprints:`, fingerprints.map(inertName), 'patterns'),
  ]);
}

function formatPrediction({ key, change, acceptance }: PredictedChange): string {
  return `${inertName(change.address)} in ${inertName(key)}: ${ACCEPTANCE_LABELS[acceptance]}`;
}

function formatEnd(duration: Duration, now: Date): string {
  if (duration === 'forever') return 'until someone deletes the suppression';
  const end = new Date(now.getTime() + Number.parseInt(duration, 10) * DAY_MS);
  return `until ${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

interface SuppressionTarget {
  fingerprint: string;
  slug: string;
  all: readonly PredictedChange[];
}

function commandPart(
  { duration, reason }: SuppressCommand,
  { fingerprint, slug, all }: SuppressionTarget,
): (Part | string)[] {
  const useful = all.filter(({ acceptance }) => !INEFFECTIVE.has(acceptance)).map(({ change }) => change.address);
  // An address that has to be escaped cannot be copied into a command.
  const addresses = [...new Set(useful)].filter((address) => escapeInvisible(address) === address);
  if (addresses.length === 0) return ['A suppression would have no effect here.'];
  let bytes_left = MAX_ADDRESSES;
  const shown = addresses.filter((address) => {
    bytes_left -= Buffer.byteLength(address);
    return bytes_left >= 0;
  });
  const more = addresses.length - shown.length;
  const line = formatShellCommand([
    ...['dpa', 'noise', 'suppress', fingerprint, '--for', duration, '--reason', escapeInvisible(reason), '--org', slug],
    ...shown.flatMap((address) => ['--address', address]),
  ]);
  return [
    'To create the suppression, an owner or admin of the organization runs this command with their own login:',
    codeBlock(line, 'sh'),
    more > 0 ? `${more} more addresses do not fit into this command; add each of them with --address.` : '',
  ];
}
