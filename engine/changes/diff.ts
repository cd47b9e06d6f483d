import type { Mask } from '../plan/types.ts';
import type { DiffOp, JsonObject, JsonValue } from '../result.ts';
import { createOverlay, marksWhole, maskAt, type Overlay, overlayAt } from './overlay.ts';
import { Leaf, PathNode } from './path-node.ts';
import { createPathTree, type PathCursor, stepInTree } from './path-tree.ts';
import { ListComparison } from './reorder.ts';
import {
  holdsMark,
  isContainer,
  isEqual,
  isNothing,
  isObject,
  MAX_DEPTH,
  type MaybeJson,
  readMember,
} from './values.ts';

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
  /** Which lists and objects of the masks mark anything. */
  marks: Map<object, boolean> | undefined;
}

/** Both sides of one place; `undefined` is absent, which differs from null: null → [] is told, absent → [] is not. */
interface Sides<Value = MaybeJson> {
  readonly node: PathNode;
  readonly before: Value;
  readonly after: Value;
  readonly overlay: Overlay | null;
  /** Where the place stands among the paths that force a replacement. */
  readonly replaced: PathCursor;
}

const NO_MEMBERS: JsonObject = Object.freeze(Object.create(null));
const NO_ITEMS: JsonValue[] = [];
/** Of a longer list of plain values in which more than so many differ, the list is the leaf. */
const MAX_ITEMS = 10_000;
/** Longer names than any provider has are not taken apart: a key of a megabyte would stand in the path of each leaf. */
const MAX_PATH = 4096;

/**
 * Every leaf that differs between two sides, with its raw values.
 *
 * - A side that is null does not exist: all leaves of the other are added or removed; null and empty ones are not told.
 * - Lists are compared by index; where both hold the same items in another order that is one `reorder` of the list.
 * - A list of plain values of which more than 10,000 differ is one diff: nobody reads as many, and each costs its time.
 * - A value that is sensitive or unknown as a whole is one diff, however much it holds: neither its keys nor its shape
 *   are told. A change of the sensitive masks alone is no diff.
 *
 * @returns in document order of `after`, then what `before` alone holds, then what only apply will tell
 * @see openapi.yaml, AttributeDiff
 */
export function diffValues(input: DiffInput): Leaf[] {
  const walk: Walk = { diffs: [], lists: new ListComparison(), marks: undefined };
  const { before, after } = input;
  compare(walk, {
    node: new PathNode(),
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

/** Must not be taken apart: unknown or sensitive as a whole, or an object of which only the unknown parts are left. */
function isOneValue({ before, after, overlay }: Sides): boolean {
  if (overlay === null) return false;
  if (overlay.unknown === true || (overlay.unknown !== undefined && !isContainer(after))) return true;
  return marksWhole(overlay.before_sensitive, before) || marksWhole(overlay.after_sensitive, after);
}

/** A list or object that only one side has. From null to a list of nothing is still told: the list itself came. */
function compareLone(walk: Walk, sides: Sides, lone: JsonValue[] | JsonObject): void {
  const { before, after } = sides;
  const diff_count = walk.diffs.length;
  if (Array.isArray(lone)) compareItems(walk, { ...sides, before: asItems(before), after: asItems(after) }, 0);
  else compareMembers(walk, { ...sides, before: asMembers(before), after: asMembers(after) });
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

/** The same as `holdsMark`, asked once for each list and object: lists within lists ask for all that lies below. */
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

/** 0 where a list or object is among the items: those are taken apart. */
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

/** Goes one level down, unless nothing can come of it. */
function step(walk: Walk, parent: Sides<unknown>, key: string | number, before: MaybeJson, after: MaybeJson): void {
  // A mask of sensitive values is no difference; most leaves are equal and leave here.
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

/** Null counts as absent here, as in Terraform's own view of a plan. */
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
      // A replace path may end above a leaf (a set, a block) or below it (inside a value that is one diff).
      forces_replacement: replaced !== null,
    }),
  );
}
