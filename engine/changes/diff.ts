import type { Mask } from '../plan/types.ts';
import type { AttributeDiff, DiffOp, JsonObject, JsonValue } from '../result.ts';
import { createOverlay, marksWhole, maskAt, type Overlay, overlayAt } from './overlay.ts';
import { extendPath } from './path.ts';
import { createPathTree, type PathTree, touchesPath } from './path-tree.ts';
import { findFirstDifference, isReordered } from './reorder.ts';
import { holdsMark, isContainer, isEqual, isNothing, isObject, MAX_DEPTH, type MaybeJson, memberOf } from './values.ts';

export interface DiffInput {
  before: JsonValue;
  after: JsonValue;
  unknown: Mask;
  before_sensitive: Mask;
  after_sensitive: Mask;
  replace_paths: readonly (readonly (string | number)[])[];
}

interface Walk {
  readonly diffs: AttributeDiff[];
  /** Where the walk stands now. */
  readonly segments: (string | number)[];
  readonly replaced: PathTree | null;
}

/** Both sides of one place; `undefined` is absent, which differs from null: null → [] is told, absent → [] is not. */
interface Place<Value = MaybeJson> {
  readonly path: string;
  readonly before: Value;
  readonly after: Value;
  readonly overlay: Overlay | null;
}

const NO_MEMBERS: JsonObject = Object.freeze(Object.create(null));
const NO_ITEMS: JsonValue[] = [];

/**
 * Every leaf that differs between two sides, with its raw values.
 *
 * - A side that is null does not exist: all leaves of the other are added or removed; null and empty ones are not told.
 * - Lists are compared by index; where both hold the same items in another order that is one `reorder` of the list.
 * - A value that is sensitive or unknown as a whole is one diff, however much it holds: neither its keys nor its shape
 *   are told. A change of the sensitive masks alone is no diff.
 *
 * @returns in document order of `after`, then what `before` alone holds, then what only apply will tell
 * @see openapi.yaml, AttributeDiff
 */
export function diffValues(input: DiffInput): AttributeDiff[] {
  const walk: Walk = { diffs: [], segments: [], replaced: createPathTree(input.replace_paths) };
  const { before, after } = input;
  compare(walk, { path: '', before: before ?? undefined, after: after ?? undefined, overlay: createOverlay(input) });
  return walk.diffs;
}

function compare(walk: Walk, place: Place): void {
  const { before, after } = place;
  if (isOneValue(place) || walk.segments.length > MAX_DEPTH) compareWhole(walk, place);
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(walk, place as Place<JsonValue[]>);
  else if (isObject(before) && isObject(after)) compareMembers(walk, place as Place<JsonObject>);
  else if (isContainer(after) && (before === undefined || before === null)) compareLone(walk, place, after);
  else if (isContainer(before) && (after === undefined || after === null)) compareLone(walk, place, before);
  else compareWhole(walk, place);
}

/** Must not be taken apart: unknown or sensitive as a whole, or an object of which only the unknown parts are left. */
function isOneValue({ before, after, overlay }: Place): boolean {
  if (overlay === null) return false;
  if (overlay.unknown === true || (overlay.unknown !== undefined && !isContainer(after))) return true;
  return marksWhole(overlay.before_sensitive, before) || marksWhole(overlay.after_sensitive, after);
}

/** A list or object that only one side has. From null to a list of nothing is still told: the list itself came. */
function compareLone(walk: Walk, place: Place, lone: JsonValue[] | JsonObject): void {
  const { path, before, after, overlay } = place;
  const told = walk.diffs.length;
  if (Array.isArray(lone)) {
    compareItems(walk, { path, before: asItems(before), after: asItems(after), overlay }, 0);
  } else {
    compareMembers(walk, { path, before: asMembers(before), after: asMembers(after), overlay });
  }
  if (walk.diffs.length === told && before !== undefined && after !== undefined) compareWhole(walk, place);
}

function asItems(value: MaybeJson): JsonValue[] {
  return Array.isArray(value) ? value : NO_ITEMS;
}

function asMembers(value: MaybeJson): JsonObject {
  return isObject(value) ? value : NO_MEMBERS;
}

function compareMembers(walk: Walk, place: Place<JsonObject>): void {
  const { before, after, overlay } = place;
  for (const key of Object.keys(after)) step(walk, place, key, memberOf(before, key), after[key]);
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) step(walk, place, key, before[key], undefined);
  }
  if (overlay === null || !isObject(overlay.unknown)) return;
  for (const key of Object.keys(overlay.unknown)) {
    if (!Object.hasOwn(after, key) && !Object.hasOwn(before, key)) step(walk, place, key, undefined, undefined);
  }
}

function compareLists(walk: Walk, place: Place<JsonValue[]>): void {
  const { before, after, overlay } = place;
  const certain = overlay === null || !holdsMark(overlay.unknown);
  const from = certain ? findFirstDifference(before, after) : 0;
  if (certain && isReordered(before, after, from)) {
    emit(walk, place, 'reorder');
    return;
  }
  const told = walk.diffs.length;
  compareItems(walk, place, from);
  if (before.length !== after.length && walk.diffs.length === told) emit(walk, place, 'update');
}

function compareItems(walk: Walk, place: Place<JsonValue[]>, from: number): void {
  const { before, after, overlay } = place;
  const unknown = overlay !== null && Array.isArray(overlay.unknown) ? overlay.unknown.length : 0;
  const end = Math.max(before.length, after.length, unknown);
  for (let i = from; i < end; i++) step(walk, place, i, before[i], after[i]);
}

/** Goes one level down, unless nothing can come of it. */
function step(walk: Walk, parent: Place<unknown>, key: string | number, before: MaybeJson, after: MaybeJson): void {
  // A mask of sensitive values is no difference; most leaves are equal and leave here.
  if (before === after && (parent.overlay === null || maskAt(parent.overlay.unknown, key) === undefined)) return;
  const overlay = parent.overlay === null ? null : overlayAt(parent.overlay, key);
  if (overlay === null) {
    if (before === undefined && isNothing(after)) return;
    if (after === undefined && isNothing(before)) return;
  }
  walk.segments.push(key);
  compare(walk, { path: extendPath(parent.path, key), before, after, overlay });
  walk.segments.pop();
}

function compareWhole(walk: Walk, place: Place): void {
  const { before, after, overlay } = place;
  const unknown = overlay !== null && holdsMark(overlay.unknown);
  if (!unknown) {
    if (isEqual(before ?? null, after ?? null)) return;
    if (before === undefined && isNothing(after)) return;
    if (after === undefined && isNothing(before)) return;
  }
  emit(walk, place, nameOp(before, after, unknown));
}

/** Null counts as absent here, as in Terraform's own view of a plan. */
function nameOp(before: MaybeJson, after: MaybeJson, unknown: boolean): DiffOp {
  if (before === undefined || before === null) return 'add';
  return (after === undefined || after === null) && !unknown ? 'remove' : 'update';
}

function emit(walk: Walk, { path, before, after, overlay }: Place, op: DiffOp): void {
  const after_unknown = overlay !== null && holdsMark(overlay.unknown);
  walk.diffs.push({
    path,
    path_segments: walk.segments.slice(),
    op,
    before: before ?? null,
    after: after_unknown ? null : (after ?? null),
    before_sensitive: overlay !== null && holdsMark(overlay.before_sensitive),
    after_sensitive: overlay !== null && holdsMark(overlay.after_sensitive),
    after_unknown,
    // A replace path may end above a leaf (a set, a block) or below it (inside a value that is one diff).
    forces_replacement: touchesPath(walk.replaced, walk.segments),
    direction: 'neutral',
    noise: 'novel',
    truncated: false,
  });
}
