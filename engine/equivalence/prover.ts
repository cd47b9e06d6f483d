import { type ResourceLocation, readLocation } from '../canonical/resource-location.ts';
import { maskAt } from '../changes/overlay.ts';
import { type PathNode, toPathNode } from '../changes/path-node.ts';
import { createSideReader, type SideReader } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { holdsMark } from '../changes/values.ts';
import type { DocumentReader } from '../documents/reader.ts';
import type { AttributeDiff, Equivalence, JsonValue } from '../model/result.ts';
import type { Mask } from '../plan/types.ts';
import { createHintFinder, findTypeHints } from './equivalences.ts';
import { isSameFile } from './file-names.ts';
import { createFreeListTest, NO_HINTS } from './free-lists.ts';
import { statesEffectiveValue } from './in-effect.ts';
import { findManifestSets, MANIFEST_HINTS } from './manifest-sets.ts';
import { isSameAmount } from './manifest-values.ts';
import { isMovedValue } from './moved-values.ts';
import { findRankedList, isSameRanking } from './ranked-lists.ts';
import { findSchemaDefaults, statesDefault } from './schema-defaults.ts';
import { isSameSet, type SetScope } from './sets.ts';
import { classifyLeaf, type LeafShape } from './shapes.ts';
import { isSameAmountOfUnit, isSameByNestedUnit } from './units.ts';
import { findUniversal } from './universal-values.ts';
import { isUntyped } from './untyped.ts';

/** Different whitespace and blocks of zero values are only likely to be equivalent, not proven. */
const LIKELY: ReadonlySet<Equivalence> = new Set(['blanks', 'empty']);

/** Whether the proof leaves no difference that a risk rule on this path could read. */
export function isWholeProof(same: Equivalence | null, { before, after }: AttributeDiff): boolean {
  if (same === null) return false;
  return !LIKELY.has(same) || (same === 'empty' && isNothing(before) && isNothing(after));
}

function isNothing(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Determines how each changed leaf of a resource changed, and why its two values are equivalent, if proven.
 *
 * A leaf in a list whose order is not significant is unchanged if the list has the same items before and after. Each
 * list is compared once, and only if one of its leaves changed.
 */
export function createProver(
  change: ResourceChange,
  documents: DocumentReader | null = null,
): (diff: AttributeDiff) => LeafShape {
  const hints = findTypeHints(change.type);
  const hintFinder = hints === undefined ? null : createHintFinder(hints);
  const location = readLocation(change.after ?? change.before);
  const before = createSideReader(change.before);
  const after = createSideReader(change.after);
  const awsvpc = [change.before, change.after].every((side) => side?.['network_mode'] === 'awsvpc');
  const isInManifestSet = createManifestSetTest(change, location, before, after);
  const isInSameRanking = createRankingTest(change);
  const proveBySiblings = createSiblingProof(change, { hints: hints ?? NO_HINTS, location }, before, after);
  const isInSameSet = hints === undefined ? () => false : createSetTest(change, { hints, location }, before, after);
  return (diff) => {
    const node = toPathNode(diff);
    const hint = hintFinder?.findHint(node) ?? null;
    const leaf = classifyLeaf(diff, awsvpc && hint?.kind === 'containers' ? AWSVPC : hint, location, documents);
    const is_open = leaf.same === null && !diff.after_unknown && !isHidden(diff);
    const universal = is_open ? findUniversal(change.type, node, diff, location) : null;
    if (universal !== null) return { shape: 'json_equivalent', same: universal };
    if (leaf.shape === 'numeric_string' && isUntyped(change.type)) return { ...leaf, same: null };
    if (leaf.shape === 'null_to_empty' && isStated(before, node, diff)) return { ...leaf, same: 'empty' };
    if (leaf.shape === 'empty_to_null' && isStated(after, node, diff)) return { ...leaf, same: 'empty' };
    if (leaf.same === null && change.type === 'kubernetes_manifest' && isSameAmount(node, diff))
      return { shape: 'json_equivalent', same: 'number' };
    if (leaf.same === null && !isHidden(diff) && isSameFile(node, [diff.before, diff.after], after))
      return { shape: 'json_equivalent', same: 'document' };
    if (leaf.same === null && change.type === 'kubernetes_manifest' && isInManifestSet(node, diff))
      return { shape: 'reorder', same: 'order' };
    if (leaf.same === null && isInSameRanking(node)) return { shape: 'reorder', same: 'order' };
    if (leaf.shape === 'value_change' && !isHidden(diff) && statesEffectiveValue(node, diff, before, after))
      return { shape: 'default_filled', same: 'default' };
    if (!is_open) return leaf;
    const { depth, path } = hintFinder?.findSet(node) ?? { depth: 0, path: '' };
    if (depth > 0 && isInSameSet(node, depth, path, diff)) return { shape: 'reorder', same: 'order' };
    return proveBySiblings(node, diff) ?? leaf;
  };
}

/** Proves a leaf by the list or the block that contains it, or by its documented default; null if nothing is proven. */
function createSiblingProof(change: ResourceChange, scope: SetScope, before: SideReader, after: SideReader) {
  const defaults = findSchemaDefaults(change.type);
  const findFreeList = createFreeListTest({
    type: change.type,
    ...{ scope, before, after },
    isPlain: (node) => isPlain(change, node.segments),
  });
  return (node: PathNode, diff: AttributeDiff): LeafShape | null => {
    if (statesDefault(defaults, node, diff, before, after)) return { shape: 'default_filled', same: 'default' };
    const same = findFreeList(diff);
    if (same !== null) return { shape: 'reorder', same };
    if (isMovedValue(node, before, after)) return { shape: 'json_equivalent', same: 'name' };
    const is_same_amount = [isSameAmountOfUnit, isSameByNestedUnit].some((isSame) => isSame(node, before, after));
    return is_same_amount ? { shape: 'json_equivalent', same: 'time' } : null;
  };
}

/** Containers that share a network interface listen on the port of their host. */
const AWSVPC = { kind: 'containers_awsvpc' } as const;

/** Sensitive values are never read. */
function isHidden({ before_sensitive, after_sensitive }: AttributeDiff): boolean {
  return before_sensitive || after_sensitive;
}

const NO_LOCATION: ResourceLocation = { project: null, region: null, zone: null, account: null, record_type: null };

/**
 * Tests whether both values of a leaf are proven equivalent, using only the leaf and its resource type.
 */
export function createMeaningTest(type: string): (diff: AttributeDiff) => boolean {
  const hints = findTypeHints(type);
  const hintFinder = hints === undefined ? null : createHintFinder(hints);
  return (diff) => {
    const node = toPathNode(diff);
    if (isWholeProof(classifyLeaf(diff, hintFinder?.findHint(node) ?? null, NO_LOCATION).same, diff)) return true;
    if (hints === undefined || hintFinder === null) return false;
    if (diff.after_unknown || isHidden(diff)) return false;
    const { depth, path } = hintFinder.findSet(node);
    if (depth === 0 || depth < node.depth) return false;
    return isSameSet(diff.before, diff.after, path, { hints, location: NO_LOCATION });
  };
}

/** Tests whether the list that contains a leaf has the same items before and after; compares each list once. */
function createSetTest(change: ResourceChange, scope: SetScope, before: SideReader, after: SideReader) {
  const known = new Map<PathNode, boolean>();
  return function isInSameSet(node: PathNode, depth: number, path: string, diff: AttributeDiff): boolean {
    if (node.depth > depth && node.parent !== null) return isInSameSet(node.parent, depth, path, diff);
    let is_same = known.get(node);
    if (is_same !== undefined) return is_same;
    is_same = isPlain(change, node.segments) && isSameAt(node);
    known.set(node, is_same);
    return is_same;

    function isSameAt(list: PathNode): boolean {
      if (diff.op === 'reorder' && toPathNode(diff).depth === list.depth) return true;
      return isSameSet(before(list), after(list), path, scope);
    }
  };
}

/** Tests whether a leaf of a manifest is inside a list whose order has no meaning and whose items are the same. */
function createManifestSetTest(
  change: ResourceChange,
  location: ResourceLocation,
  before: SideReader,
  after: SideReader,
) {
  const isInSameSet = createSetTest(change, { hints: MANIFEST_HINTS, location }, before, after);
  return (node: PathNode, diff: AttributeDiff): boolean =>
    findManifestSets(node, after).some(({ depth, name }) => isInSameSet(node, depth, name, diff));
}

/** Tests whether a leaf is inside a list of rules that keep their order under other numbers; compares the list once. */
function createRankingTest(change: ResourceChange): (node: PathNode) => boolean {
  const known = new Map<string, boolean>();
  return (node) => {
    const list = findRankedList(change.type, node);
    if (list === null) return false;
    let is_same = known.get(list);
    is_same ??= isPlain(change, [list]) && isSameRanking(change.type, list, change.before, change.after);
    known.set(list, is_same);
    return is_same;
  };
}

/** Whether nothing below is sensitive or unknown; such values are never considered equal. */
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
 * Whether null on this side means "empty". A missing list item or a missing map key does not: the list or map itself
 * differs.
 */
function isStated(side: SideReader, node: PathNode, { before, after }: AttributeDiff): boolean {
  if (node.depth === 1 || node.parent === null) return true;
  const parent = side(node.parent);
  if (typeof node.segment === 'number' && !Array.isArray(parent)) return before !== '' && after !== '';
  if (parent === null || typeof parent !== 'object') return true;
  if (!Array.isArray(parent) && before !== '' && after !== '') return true;
  return Object.hasOwn(parent, node.segment);
}
