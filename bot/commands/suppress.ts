import { type Acceptance, escapeInvisible, inertName, predictAcceptance } from '../../engine/index.ts';
import { groupByFingerprint, matchFingerprints, type PlanChange } from './fingerprints.ts';
import { buildList, codeBlock, type Part, writeBody } from './markdown.ts';
import { formatShellCommand } from './shell.ts';
import type { Command, CommandContext, Duration } from './types.ts';

type SuppressCommand = Extract<Command, { verb: 'suppress' }>;

const DAY_MS = 86_400_000;
/** UTF-8 bytes of addresses in one line that people copy. */
const MAX_ADDRESSES = 2_500;

const ACCEPTANCE_LABELS: Record<Acceptance, string> = {
  hides: 'hidden',
  differs: 'shown still: other attributes differ as well',
  unsure: 'hidden if nothing else differs that is no noise, which the result does not tell',
  is_noise: 'counts as noise already',
  guarded: 'counts in full all the same, because it destroys or weakens something',
};
/** What there is no use in suppressing. */
const INEFFECTIVE: ReadonlySet<Acceptance> = new Set(['is_noise', 'guarded']);

interface PredictedChange extends PlanChange {
  acceptance: Acceptance;
}

/** What a suppression would hide of this pull request, and the line with which an owner or admin makes it. */
export function previewSuppression(command: SuppressCommand, { plans, org }: CommandContext, now: Date): string {
  const patterns = groupByFingerprint(plans);
  const [fingerprint, ...others] = matchFingerprints(command.fingerprint, patterns.keys());
  if (fingerprint === undefined) return describeUnknownPattern(command.fingerprint);
  if (others.length > 0) return describeAmbiguousPrefix(command.fingerprint, [fingerprint, ...others]);
  const all = (patterns.get(fingerprint) ?? []).map(
    (found): PredictedChange => ({ ...found, acceptance: predictAcceptance(found.change) }),
  );
  return writeBody([
    `Nothing is suppressed yet. Accepting ${inertName(fingerprint)} ${formatEnd(command.duration, now)} would mean:`,
    buildList('In this pull request:', all.map(formatPrediction), 'changes'),
    ...commandPart(command, { fingerprint, slug: org.slug, all }),
  ]);
}

export function describeUnknownPattern(prefix: string): string {
  return `No change of this pull request shows the pattern ${inertName(prefix)}. \`/drift noise\` lists those that it shows.`;
}

export function describeAmbiguousPrefix(prefix: string, fingerprints: readonly string[]): string {
  return writeBody([
    buildList(`${inertName(prefix)} begins several fingerprints:`, fingerprints.map(inertName), 'patterns'),
  ]);
}

function formatPrediction({ key, change, acceptance }: PredictedChange): string {
  return `${inertName(change.address)} in ${inertName(key)}: ${ACCEPTANCE_LABELS[acceptance]}`;
}

function formatEnd(duration: Duration, now: Date): string {
  if (duration === 'forever') return 'until someone removes the suppression';
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
  // What cannot be shown cannot be copied.
  const addresses = [...new Set(useful)].filter((address) => escapeInvisible(address) === address);
  if (addresses.length === 0) return ['A suppression would change nothing here.'];
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
    'An owner or admin of the organization accepts it, under their own login:',
    codeBlock(line, 'sh'),
    more > 0 ? `${more} more addresses have no room in this line; add them, each with --address.` : '',
  ];
}
