import { type Acceptance, foreseeAcceptance, inertName, visible } from '../../engine/index.ts';
import { block, listOf, type Part, writeBody } from './markdown.ts';
import { type Found, fingerprintsFor, patternsOf } from './prints.ts';
import { shellLine } from './shell.ts';
import type { Command, CommandContext, Duration } from './types.ts';

type Asked = Extract<Command, { verb: 'suppress' }>;

const DAY_MS = 86_400_000;
/** UTF-8 bytes of addresses in one line that people copy. */
const MAX_ADDRESSES = 2_500;

const FORESEEN: Record<Acceptance, string> = {
  hides: 'hidden',
  differs: 'shown still: other attributes differ as well',
  unsure: 'hidden if nothing else differs that is no noise, which the result does not tell',
  is_noise: 'counts as noise already',
  guarded: 'counts in full all the same, because it destroys or weakens something',
};
/** What there is no use in suppressing. */
const VAIN: ReadonlySet<Acceptance> = new Set(['is_noise', 'guarded']);

interface Foreseen extends Found {
  acceptance: Acceptance;
}

/** What a suppression would hide of this pull request, and the line with which an owner or admin makes it. */
export function previewSuppression(asked: Asked, { plans, org }: CommandContext, now: Date): string {
  const patterns = patternsOf(plans);
  const [fingerprint, ...others] = fingerprintsFor(asked.fingerprint, patterns.keys());
  if (fingerprint === undefined) return notShown(asked.fingerprint);
  if (others.length > 0) return severalPatterns(asked.fingerprint, [fingerprint, ...others]);
  const all = (patterns.get(fingerprint) ?? []).map(
    (found): Foreseen => ({ ...found, acceptance: foreseeAcceptance(found.change) }),
  );
  return writeBody([
    `Nothing is suppressed yet. Accepting ${inertName(fingerprint)} ${untilWhen(asked.duration, now)} would mean:`,
    listOf('In this pull request:', all.map(foreseenLine), 'changes'),
    ...commandPart(asked, { fingerprint, slug: org.slug, all }),
  ]);
}

export function notShown(digits: string): string {
  return `No change of this pull request shows the pattern ${inertName(digits)}. \`/drift noise\` lists those that it shows.`;
}

export function severalPatterns(digits: string, prints: readonly string[]): string {
  return writeBody([listOf(`${inertName(digits)} begins several fingerprints:`, prints.map(inertName), 'patterns')]);
}

function foreseenLine({ key, change, acceptance }: Foreseen): string {
  return `${inertName(change.address)} in ${inertName(key)}: ${FORESEEN[acceptance]}`;
}

function untilWhen(duration: Duration, now: Date): string {
  if (duration === 'forever') return 'until someone removes the suppression';
  const end = new Date(now.getTime() + Number.parseInt(duration, 10) * DAY_MS);
  return `until ${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

interface Line {
  fingerprint: string;
  slug: string;
  all: readonly Foreseen[];
}

function commandPart({ duration, reason }: Asked, { fingerprint, slug, all }: Line): (Part | string)[] {
  const useful = all.filter(({ acceptance }) => !VAIN.has(acceptance)).map(({ change }) => change.address);
  // What cannot be shown cannot be copied.
  const addresses = [...new Set(useful)].filter((address) => visible(address) === address);
  if (addresses.length === 0) return ['A suppression would change nothing here.'];
  let room = MAX_ADDRESSES;
  const shown = addresses.filter((address) => {
    room -= Buffer.byteLength(address);
    return room >= 0;
  });
  const more = addresses.length - shown.length;
  const line = shellLine([
    ...['dpa', 'noise', 'suppress', fingerprint, '--for', duration, '--reason', visible(reason), '--org', slug],
    ...shown.flatMap((address) => ['--address', address]),
  ]);
  return [
    'An owner or admin of the organization accepts it, under their own login:',
    block(line, 'sh'),
    more > 0 ? `${more} more addresses have no room in this line; add them, each with --address.` : '',
  ];
}
