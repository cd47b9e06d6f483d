/** Judges where data, code, images, identities and traffic come from or go to. */
import { toPathNode } from '../../changes/path-node.ts';
import type { ResourceChange } from '../../changes/types.ts';
import { listDifferences } from '../../documents/differences.ts';
import type { DocumentReader } from '../../documents/reader.ts';
import type { Document } from '../../documents/types.ts';
import { splitWords } from '../../effects/words.ts';
import { isAtLeast, minLevel } from '../../model/levels.ts';
import type { AttributeDiff } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import { COMPUTED } from '../leaves.ts';
import { isAnyHost, isPeerList } from '../meaning/values/peers.ts';
import { readNamedPlace, readPlace } from './places.ts';
import { findPurpose, type Purpose } from './purpose.ts';
import { type Destination, rateDestination, rateNewDestination } from './rate.ts';

export { NO_OWNERSHIP, type Ownership } from './ownership.ts';
export { findPurpose, type Purpose } from './purpose.ts';
export { type Destination, type Relation, rateDestination } from './rate.ts';

export const DESTINATION_RULE = 'R-DST-FOREIGN';

/** Leaves of one resource that are read. */
const MAX_LEAVES = 2_000;
/** Texts from this length on can be documents with several places in them. */
const DOCUMENT_CHARS = 40;

interface Context {
  documents: DocumentReader | undefined;
  /** Whether other rules read the attribute, and so its policies. */
  isWatched(diff: AttributeDiff): boolean;
}

/** Adds a reason for each changed place that does not belong to an owner of the plan. */
export function findDestinationReasons(subject: Subject, { documents, isWatched }: Context): void {
  if (subject.mode === 'delete') return;
  for (const diff of subject.change.diffs.slice(0, MAX_LEAVES)) {
    if (diff.after_unknown || diff.same !== undefined || diff.noise === 'known_benign' || isComputed(diff)) continue;
    for (const leaf of listLeaves(diff, documents, isWatched)) judgeLeaf(subject, leaf);
  }
}

/** Returns true if a changed value names a place, so that the owners of the whole plan matter. */
export function movesDestination({ action, diffs }: ResourceChange): boolean {
  if (action !== 'create' && action !== 'update' && action !== 'replace') return false;
  const is_new = action === 'create';
  return diffs.some(
    (diff) => typeof diff.after === 'string' && !isComputed(diff) && mayMove(diff.before, diff.after, is_new),
  );
}

/** A document of a new resource matters only if it names somebody. */
function mayMove(before: AttributeDiff['before'], after: string, is_new: boolean): boolean {
  if (after.length > DOCUMENT_CHARS && /[\n{]/.test(after))
    return after.includes('arn:') || (is_new ? after.includes('://') : after.includes('.'));
  const place = readPlace(after);
  return place !== null && place.owner !== readPlace(before)?.owner;
}

interface Leaf {
  /** Path of the attribute that is reported. */
  path: Path;
  /** Path with the names inside a document. */
  names: Path;
  before: AttributeDiff['before'] | undefined;
  after: AttributeDiff['after'] | undefined;
}

function listLeaves(
  diff: AttributeDiff,
  documents: DocumentReader | undefined,
  isWatched: Context['isWatched'],
): Leaf[] {
  const { before, after } = diff;
  if (typeof after === 'number' || typeof after === 'boolean') return [];
  const path = diff.path_segments;
  if (typeof after !== 'string' || after.length < DOCUMENT_CHARS || !/[\n{]/.test(after))
    return [{ path, names: path, before, after }];
  const document = documents?.read(after);
  if (document?.tree === undefined || isWatched(diff)) return [];
  const previous = typeof before === 'string' ? documents?.read(before) : null;
  const differences = listDifferences(previous ?? makeEmpty(document), document);
  return differences.slice(0, MAX_LEAVES).map((leaf) => ({
    path,
    names: [...path, ...nameLeaf(leaf.path, document)],
    before: leaf.before,
    after: leaf.after,
  }));
}

function makeEmpty({ tree }: Document): Document {
  return { format: 'json', tree: Array.isArray(tree) ? [] : {} };
}

/** `environment[3].value` is named by the `name` next to it. */
function nameLeaf(path: Path, { tree }: Document): Path {
  if (path.at(-1) !== 'value') return path;
  let holder: unknown = tree;
  for (const segment of path.slice(0, -1)) holder = (holder as Record<string | number, unknown> | undefined)?.[segment];
  const name = (holder as Record<string, unknown> | undefined)?.['name'];
  return typeof name === 'string' ? [...path.slice(0, -1), name] : path;
}

function judgeLeaf(subject: Subject, { path, names, before, after }: Leaf): void {
  const name = names.findLast((segment) => typeof segment === 'string') ?? '';
  if (readNamedPlace(after, String(name)) === null) return;
  const purpose = findPurpose(subject.type, names);
  const { owned, accounts } = subject.facts;
  const rated = rateDestination(before, after, owned, purpose);
  if (rated === null || accounts.has(rated.owner.replace(/^account:/, ''))) return;
  const rating = subject.mode === 'create' ? rateNewDestination(rated, owned, purpose) : rated.level;
  const is_allowed = isAllowed(subject.type, names, purpose);
  if (is_allowed && hadAnyHost(subject, path)) return;
  const level = is_allowed && rated.relation === 'foreign' ? minLevel(rating, 'medium') : rating;
  if (!isAtLeast(level, 'medium')) return;
  const found = { ...rated, level };
  subject.add({
    rule: DESTINATION_RULE,
    level: found.level,
    path,
    message: describe(subject, path, found, purpose),
    neutral: found.level === 'medium',
  });
  if (found.level !== 'medium') subject.setDirection(path, 'weakening');
}

/** One more host of others is what a list of hosts that may be reached is for. */
function isAllowed(type: string, names: Path, purpose: Purpose): boolean {
  if (purpose !== 'data' && purpose !== 'traffic') return false;
  const [own = '', ...outer] = names.filter((segment) => typeof segment === 'string').reverse();
  const toWords = (texts: readonly string[]) =>
    new Set(texts.flatMap((name) => splitWords(name.slice(0, MAX_NAME_CHARS))));
  return isPeerList(toWords([own]), toWords(outer), toWords([type.slice(type.indexOf('_') + 1)]));
}

const MAX_NAME_CHARS = 200;

/** Whether the list let every host through before, so that a host that it names now was allowed already. */
function hadAnyHost({ before }: Subject, path: Path): boolean {
  let hosts: unknown = before;
  for (const segment of path.slice(0, -1))
    hosts = (hosts as Record<string | number, unknown> | null | undefined)?.[segment];
  return Array.isArray(hosts) && hosts.some((host) => typeof host === 'string' && isAnyHost(host));
}

const MOVED: Record<Purpose, string> = {
  data: 'Data or logs go to',
  code: 'Code comes from',
  image: 'An image comes from',
  identity: 'Identities are trusted or sent to',
  key: 'A key is used from',
  traffic: 'Traffic goes to',
  watch: 'What is checked is now',
  text: 'A text names',
};
const WHOSE: Record<Destination['relation'], string> = {
  same: 'the same place',
  ours: 'another place of ours',
  vendor: 'a vendor that the plan did not use',
  foreign: 'an owner that occurs nowhere else in the plan',
  'look-alike': 'a name that is easily taken for one of ours',
  anonymous: 'a host that anyone can register',
};

const UNCONFIRMED = 'an owner that is not confirmed as yours and occurs nowhere else in the plan';

function describe(subject: Subject, path: Path, { relation, value, imitates }: Destination, purpose: Purpose): string {
  const whose = relation === 'foreign' && subject.facts.owned.has_confirmed ? UNCONFIRMED : WHOSE[relation];
  const shown = subject.quote(path, value);
  const like = imitates === undefined || subject.isHidden(path) ? '' : ` (${imitates})`;
  return `${MOVED[purpose]} ${whose}${like}: ${subject.formatPath(path)} becomes ${shown}.`;
}

function isComputed(diff: AttributeDiff): boolean {
  const { first } = toPathNode(diff);
  // A provider computes an `arn` at apply; one that is known before is an argument.
  if (first === 'arn') return diff.after_unknown;
  return typeof first === 'string' && (COMPUTED.has(first) || first.endsWith('_revision'));
}
