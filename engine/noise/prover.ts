import { type Home, homeOf } from '../canonical/home.ts';
import { maskAt } from '../changes/overlay.ts';
import { type Place, placeOf } from '../changes/place.ts';
import { createSideReader, type SideReader } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { holdsMark } from '../changes/values.ts';
import type { Mask } from '../plan/types.ts';
import type { AttributeDiff, Equivalence, JsonValue } from '../result.ts';
import { createNominator, nominationsOf } from './equivalences.ts';
import { isSameSet, type SetScope } from './sets.ts';
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
  const nominator = nominations === undefined ? null : createNominator(nominations);
  const home = homeOf(change.after ?? change.before);
  const before = createSideReader(change.before);
  const after = createSideReader(change.after);
  const isInSameSet =
    nominations === undefined ? () => false : createSetTest(change, { nominations, home }, before, after);
  return (diff) => {
    const place = placeOf(diff);
    const leaf = readLeaf(diff, nominator?.nominate(place) ?? null, home);
    if (leaf.shape === 'numeric_string' && isUntyped(change.type)) return { ...leaf, same: null };
    if (leaf.shape === 'null_to_empty' && isStated(before, place, diff)) return { ...leaf, same: 'empty' };
    if (leaf.shape === 'empty_to_null' && isStated(after, place, diff)) return { ...leaf, same: 'empty' };
    if (leaf.same !== null || leaf.shape === 'to_unknown' || nominator === null) return leaf;
    const { depth, path } = nominator.findSet(place);
    return depth > 0 && isInSameSet(place, depth, path, diff) ? { shape: 'reorder', same: 'order' } : leaf;
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
 * Tells of leaves of one resource type whether both sides are proven to mean the same as a whole, as far as the leaf alone
 * tells.
 */
export function createMeaningTest(type: string): (diff: AttributeDiff) => boolean {
  const nominations = nominationsOf(type);
  const nominator = nominations === undefined ? null : createNominator(nominations);
  return (diff) => {
    const place = placeOf(diff);
    if (isWholeProof(readLeaf(diff, nominator?.nominate(place) ?? null, NOWHERE).same, diff)) return true;
    if (nominations === undefined || nominator === null) return false;
    if (diff.before_sensitive || diff.after_sensitive || diff.after_unknown) return false;
    const { depth, path } = nominator.findSet(place);
    if (depth === 0 || depth < place.depth) return false;
    return isSameSet(diff.before, diff.after, path, { nominations, home: NOWHERE });
  };
}

/** Whether the list at a depth above a place holds the same items before and after; each list is compared once. */
function createSetTest(change: ResourceChange, scope: SetScope, before: SideReader, after: SideReader) {
  const known = new Map<Place, boolean>();
  return function isInSameSet(place: Place, depth: number, path: string, diff: AttributeDiff): boolean {
    let is_same = known.get(place);
    if (is_same !== undefined) return is_same;
    if (place.depth > depth && place.above !== null) is_same = isInSameSet(place.above, depth, path, diff);
    else is_same = isPlain(change, place.segments) && isSameAt(place);
    known.set(place, is_same);
    return is_same;

    function isSameAt(list: Place): boolean {
      if (diff.op === 'reorder' && placeOf(diff).depth === list.depth) return true;
      return isSameSet(before(list), after(list), path, scope);
    }
  };
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
function isStated(side: SideReader, place: Place, { before, after }: AttributeDiff): boolean {
  if (place.depth === 1 || place.above === null) return true;
  const parent = side(place.above);
  if (parent === null || typeof parent !== 'object') return true;
  if (!Array.isArray(parent) && before !== '' && after !== '') return true;
  return Object.hasOwn(parent, place.segment);
}
