import { type Home, homeOf } from '../canonical/home.ts';
import { maskAt } from '../changes/overlay.ts';
import type { ResourceChange } from '../changes/types.ts';
import { holdsMark } from '../changes/values.ts';
import type { Mask } from '../plan/types.ts';
import type { AttributeDiff, Equivalence, JsonObject, JsonValue } from '../result.ts';
import { findNomination, findSet, type Nominations, nominationsOf } from './equivalences.ts';
import { isSameSet } from './sets.ts';
import { type Leaf, readLeaf } from './shapes.ts';

/** Spaced in another way is likely to mean nothing, and so is a block that holds nothing but zeroes: no proof. */
const LIKELY: ReadonlySet<Equivalence> = new Set(['blanks', 'empty']);

/** Whether the proof leaves nothing that a rule which watches the path could read. */
export function isWholeProof(same: Equivalence | null, { before, after }: AttributeDiff): boolean {
  if (same === null) return false;
  return !LIKELY.has(same) || (same === 'empty' && isNothing(before) && isNothing(after));
}

function isNothing(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Reads the changed leaves of one resource: how each changed, and as what its two sides are proven to be the same.
 *
 * A leaf inside of a list whose order means nothing is the same when the whole list holds the same items before and
 * after; the list is compared once, and only if one of its leaves changed.
 */
export function createProver(change: ResourceChange): (diff: AttributeDiff) => Leaf {
  const nominations = nominationsOf(change.type);
  const home = homeOf(change.after ?? change.before);
  const sets = new Map<string, boolean>();
  return (diff) => {
    const nomination = nominations === undefined ? null : findNomination(nominations, diff.path_segments);
    const leaf = readLeaf(diff, nomination, home);
    if (leaf.shape === 'numeric_string' && isUntyped(change.type)) return { ...leaf, same: null };
    if (leaf.shape === 'null_to_empty' && isStated(change.before, diff)) return { ...leaf, same: 'empty' };
    if (leaf.shape === 'empty_to_null' && isStated(change.after, diff)) return { ...leaf, same: 'empty' };
    if (leaf.same !== null || leaf.shape === 'to_unknown' || nominations === undefined) return leaf;
    return isInSameSet(change, diff, { nominations, home, sets }) ? { shape: 'reorder', same: 'order' } : leaf;
  };
}

/** Types whose attributes have no type of their own: in them a number and its text are two values. */
const UNTYPED: ReadonlySet<string> = new Set([
  'kubernetes_manifest',
  'terraform_data',
  'azapi_resource',
  'azapi_update_resource',
]);

/** Whether the names inside of a type's attributes are its users' own. */
export function isUntyped(type: string): boolean {
  return UNTYPED.has(type);
}

const NOWHERE: Home = { project: null, region: null, zone: null, account: null, record_type: null };

/**
 * Whether both sides of a leaf are proven to mean the same as a whole, as far as the leaf alone tells.
 *
 * @param type the resource type
 */
export function isSameMeaning(diff: AttributeDiff, type: string): boolean {
  const nominations = nominationsOf(type);
  const nomination = nominations === undefined ? null : findNomination(nominations, diff.path_segments);
  if (isWholeProof(readLeaf(diff, nomination, NOWHERE).same, diff)) return true;
  if (nominations === undefined || diff.before_sensitive || diff.after_sensitive || diff.after_unknown) return false;
  const { depth, path } = findSet(nominations, diff.path_segments);
  if (depth === 0 || depth < diff.path_segments.length) return false;
  return isSameSet(diff.before, diff.after, path, { nominations, home: NOWHERE });
}

interface Known {
  nominations: Nominations;
  home: Home;
  /** Lists that were compared already, by their path with indexes. */
  sets: Map<string, boolean>;
}

function isInSameSet(change: ResourceChange, diff: AttributeDiff, known: Known): boolean {
  const { depth, path } = findSet(known.nominations, diff.path_segments);
  if (depth === 0) return false;
  const segments = diff.path_segments.slice(0, depth);
  const key = segments.join('\n');
  const compared = known.sets.get(key);
  if (compared !== undefined) return compared;
  const is_same = isPlain(change, segments) && isSameAt(change, diff, segments, path, known);
  known.sets.set(key, is_same);
  return is_same;
}

function isSameAt(
  { before, after }: ResourceChange,
  diff: AttributeDiff,
  segments: (string | number)[],
  path: string,
  known: Known,
): boolean {
  if (diff.op === 'reorder' && segments.length === diff.path_segments.length) return true;
  return isSameSet(valueAt(before, segments), valueAt(after, segments), path, known);
}

/** Nothing below is sensitive or unknown: what must not be looked at is never the same. */
function isPlain(change: ResourceChange, segments: (string | number)[]): boolean {
  return [change.unknown, change.before_sensitive, change.after_sensitive].every((mask) => {
    let at: Mask = mask;
    for (const segment of segments) {
      if (at === true) return false;
      at = maskAt(at, segment);
    }
    return !holdsMark(at);
  });
}

/**
 * Whether the side that shows null may be read as "empty": a list with one item fewer is another list, and a map without
 * a key is another map than one that holds an empty text under it.
 */
function isStated(side: JsonObject | null, { path_segments, before, after }: AttributeDiff): boolean {
  if (path_segments.length === 1) return true;
  const parent = valueAt(side, path_segments.slice(0, -1));
  if (parent === null || typeof parent !== 'object') return true;
  if (!Array.isArray(parent) && before !== '' && after !== '') return true;
  return Object.hasOwn(parent, path_segments.at(-1) as string | number);
}

/** Null where the path leads nowhere. */
function valueAt(side: JsonValue, segments: (string | number)[]): JsonValue {
  let value = side;
  for (const segment of segments) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, segment)) return null;
    value = (value as Record<string | number, JsonValue>)[segment] as JsonValue;
  }
  return value;
}
