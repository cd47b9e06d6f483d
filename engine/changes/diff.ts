import { isObject } from '../lib/is-object.ts';
import type { DiffOp, JsonObject, JsonValue } from '../model/result.ts';
import type { Mask } from '../plan/types.ts';
import { createOverlay, marksWhole, maskAt, type Overlay, overlayAt } from './overlay.ts';
import { Leaf, PathNode, type PathTemplate } from './path-node.ts';
import { createPathTree, type PathCursor, stepInTree } from './path-tree.ts';
import { ListComparison } from './reorder.ts';
import { holdsMark, isContainer, isEqual, isNothing, MAX_DEPTH, type MaybeJson, readMember } from './values.ts';

export interface DiffInput {
  before: JsonValue;
  after: JsonValue;
  unknown: Mask;
  before_sensitive: Mask;
  after_sensitive: Mask;
  replace_paths: readonly (readonly (string | number)[])[];
}

interface Walk {
  readonly diffs: Leaf[];
  readonly lists: ListComparison;
  /** Caches which lists and objects of the masks mark anything. */
  marks: Map<object, boolean> | undefined;
}

/** Both sides of one path. `undefined` is absent and differs from null: null → [] is a diff, absent → [] is not. */
interface Sides<Value = MaybeJson> {
  readonly node: PathNode;
  readonly before: Value;
  readonly after: Value;
  readonly overlay: Overlay | null;
  /** The position of the path in the tree of paths that force a replacement. */
  readonly replaced: PathCursor;
}

const NO_MEMBERS: JsonObject = Object.freeze(Object.create(null));
const NO_ITEMS: JsonValue[] = [];
/** When more plain values of a list differ, the whole list is one leaf. */
const MAX_ITEMS = 10_000;
/** Values under longer paths are one leaf. Otherwise, a key of a megabyte would be part of the path of each leaf. */
const MAX_PATH = 4096;

/**
 * Returns every leaf that differs between two sides, with its raw values.
 *
 * - A side that is null does not exist: all leaves of the other side are added or removed, except null and empty ones.
 * - Lists are compared by index. When both contain the same items in a different order, the list is one `reorder`.
 * - A list of plain values in which more than 10,000 differ is one diff, to limit time and size.
 * - A value that is sensitive or unknown as a whole is one diff, so its keys and shape are not exposed. A change of the
 *   sensitive masks alone is no diff.
 *
 * @param template root of the templates of the paths; a new one by default
 * @returns diffs in document order of `after`, then those only in `before`, then those only in the unknown mask
 * @see openapi.yaml, AttributeDiff
 */
export function diffValues(input: DiffInput, template?: PathTemplate): Leaf[] {
  const walk: Walk = { diffs: [], lists: new ListComparison(), marks: undefined };
  const { before, after } = input;
  compare(walk, {
    node: new PathNode(null, '', template),
    before: before ?? undefined,
    after: after ?? undefined,
    overlay: createOverlay(input),
    replaced: createPathTree(input.replace_paths),
  });
  return walk.diffs;
}

function compare(walk: Walk, sides: Sides): void {
  const { node, before, after } = sides;
  if (isOneValue(sides) || node.depth > MAX_DEPTH || node.size > MAX_PATH) compareWhole(walk, sides);
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(walk, sides as Sides<JsonValue[]>);
  else if (isObject(before) && isObject(after)) compareMembers(walk, sides as Sides<JsonObject>);
  else if (isContainer(after) && (before === undefined || before === null)) compareLone(walk, sides, after);
  else if (isContainer(before) && (after === undefined || after === null)) compareLone(walk, sides, before);
  else compareWhole(walk, sides);
}

/** Returns true for a value that is one diff: unknown or sensitive as a whole, or without a container for its mask. */
function isOneValue({ before, after, overlay }: Sides): boolean {
  if (overlay === null) return false;
  if (overlay.unknown === true || (overlay.unknown !== undefined && !isContainer(after))) return true;
  return marksWhole(overlay.before_sensitive, before) || marksWhole(overlay.after_sensitive, after);
}

/** Compares a list or object that only one side has. A change from null to an empty list is still a diff. */
function compareLone(walk: Walk, sides: Sides, lone: JsonValue[] | JsonObject): void {
  const { node, before, after, overlay, replaced } = sides;
  const diff_count = walk.diffs.length;
  if (Array.isArray(lone))
    compareItems(walk, { node, before: asItems(before), after: asItems(after), overlay, replaced }, 0);
  else compareMembers(walk, { node, before: asMembers(before), after: asMembers(after), overlay, replaced });
  if (walk.diffs.length === diff_count && before !== undefined && after !== undefined) compareWhole(walk, sides);
}

function asItems(value: MaybeJson): JsonValue[] {
  return Array.isArray(value) ? value : NO_ITEMS;
}

function asMembers(value: MaybeJson): JsonObject {
  return isObject(value) ? value : NO_MEMBERS;
}

function compareMembers(walk: Walk, sides: Sides<JsonObject>): void {
  const { before, after, overlay } = sides;
  for (const key of Object.keys(after)) step(walk, sides, key, readMember(before, key), after[key]);
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) step(walk, sides, key, before[key], undefined);
  }
  if (overlay === null || !isObject(overlay.unknown)) return;
  for (const key of Object.keys(overlay.unknown)) {
    if (!Object.hasOwn(after, key) && !Object.hasOwn(before, key)) step(walk, sides, key, undefined, undefined);
  }
}

function compareLists(walk: Walk, sides: Sides<JsonValue[]>): void {
  const { before, after, overlay } = sides;
  const certain = overlay === null || !isMarked(walk, overlay.unknown);
  const from = certain ? walk.lists.findFirstDifference(before, after) : 0;
  if (certain && walk.lists.isReordered(before, after, from)) {
    emit(walk, sides, 'reorder');
    return;
  }
  const diff_count = walk.diffs.length;
  compareItems(walk, sides, from);
  if (before.length !== after.length && walk.diffs.length === diff_count) emit(walk, sides, 'update');
}

/** Same as `holdsMark`, but cached for each list and object, because nested lists repeat the check. */
function isMarked(walk: Walk, mask: Mask): boolean {
  if (!isContainer(mask)) return mask === true;
  walk.marks ??= new Map();
  let marked = walk.marks.get(mask);
  if (marked === undefined) {
    marked = (Array.isArray(mask) ? mask : Object.values(mask)).some((below) => isMarked(walk, below));
    walk.marks.set(mask, marked);
  }
  return marked;
}

function compareItems(walk: Walk, sides: Sides<JsonValue[]>, from: number): void {
  const { before, after, overlay } = sides;
  const unknown = overlay !== null && Array.isArray(overlay.unknown) ? overlay.unknown.length : 0;
  const end = Math.max(before.length, after.length, unknown);
  if (overlay === null && end - from > MAX_ITEMS && countPlainDifferences(before, after, from) > MAX_ITEMS) {
    emit(walk, sides, nameOp(listOrNone(before), listOrNone(after), false));
    return;
  }
  for (let i = from; i < end; i++) step(walk, sides, i, before[i], after[i]);
}

/** Counts the items that differ; 0 when a list or object is among them, because those are compared item by item. */
function countPlainDifferences(before: JsonValue[], after: JsonValue[], from: number): number {
  let count = 0;
  for (let i = from; i < Math.max(before.length, after.length); i++) {
    const [was, is] = [before[i], after[i]];
    if (was === is) continue;
    if (isContainer(was) || isContainer(is)) return 0;
    count += 1;
  }
  return count;
}

function listOrNone(list: JsonValue[]): MaybeJson {
  return list === NO_ITEMS ? undefined : list;
}

/** Compares one member or item, unless it cannot contain a diff. */
function step(walk: Walk, parent: Sides<unknown>, key: string | number, before: MaybeJson, after: MaybeJson): void {
  // A sensitive mask alone is no diff. Most leaves are equal and return here.
  if (before === after && (parent.overlay === null || maskAt(parent.overlay.unknown, key) === undefined)) return;
  const overlay = parent.overlay === null ? null : overlayAt(parent.overlay, key);
  if (overlay === null) {
    if (before === undefined && isNothing(after)) return;
    if (after === undefined && isNothing(before)) return;
  }
  const node = new PathNode(parent.node, key);
  compare(walk, { node, before, after, overlay, replaced: stepInTree(parent.replaced, key) });
}

function compareWhole(walk: Walk, sides: Sides): void {
  const { before, after, overlay } = sides;
  const unknown = overlay !== null && holdsMark(overlay.unknown);
  if (!unknown) {
    if (isEqual(before ?? null, after ?? null)) return;
    if (before === undefined && isNothing(after)) return;
    if (after === undefined && isNothing(before)) return;
  }
  emit(walk, sides, nameOp(before, after, unknown));
}

/** Null counts as absent, as in Terraform's own view of a plan. */
function nameOp(before: MaybeJson, after: MaybeJson, unknown: boolean): DiffOp {
  if (before === undefined || before === null) return 'add';
  return (after === undefined || after === null) && !unknown ? 'remove' : 'update';
}

function emit(walk: Walk, { node, before, after, overlay, replaced }: Sides, op: DiffOp): void {
  const after_unknown = overlay !== null && holdsMark(overlay.unknown);
  walk.diffs.push(
    new Leaf(node, {
      op,
      before: before ?? null,
      after: after_unknown ? null : (after ?? null),
      before_sensitive: overlay !== null && holdsMark(overlay.before_sensitive),
      after_sensitive: overlay !== null && holdsMark(overlay.after_sensitive),
      after_unknown,
      // A replace path may end above a leaf (at a set or block) or below it (inside a value that is one diff).
      forces_replacement: replaced !== null,
    }),
  );
}
