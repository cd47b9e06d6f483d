/**
 * The arguments of a resource as the cloud has them now: what the state holds, with the values of the cloud wherever they
 * are known and differ. A plan that made this change would have the state as `before` and the result as `after`.
 */
import { OMITTED } from '../../inventory/withheld.ts';
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { Uncompared } from '../types.ts';
import { alignBlocks } from './align-blocks.ts';
import type { BlockSpec, LeafSpec, Mapping, Spec } from './mapping.ts';
import { isNothing, isSamePlain } from './same-value.ts';
import { readPath } from './source-path.ts';
import { applyTransforms } from './transforms.ts';
import { isHidden, isOmitted, isWithheld } from './withheld.ts';

/** The value of one argument; `value` is that of the state if it was not compared or is the same. */
export interface Overlaid {
  value: JsonValue;
  outcome: 'compared' | Uncompared;
}

/** Properties of a resource, or a part of them. */
export interface Source {
  properties: JsonValue | undefined;
  /** A missing property means that nothing is set. */
  is_complete: boolean;
}

/** @param held what the state holds; null if it holds nothing */
export function overlay(held: JsonValue, spec: Spec, source: Source): Overlaid {
  return spec.kind === 'leaf' ? overlayLeaf(held, spec, source) : overlayBlocks(held, spec, source);
}

function overlayLeaf(held: JsonValue, spec: LeafSpec, source: Source): Overlaid {
  const shown = readShown(spec, source);
  if (shown === undefined || isOmitted(shown) || isOmitted(held)) return { value: held, outcome: 'not_shown' };
  // Of maps, such as environment variables, the names and the other values are compared.
  const are_maps = isObject(held) && isObject(shown);
  if (!are_maps && (isWithheld(held) || isWithheld(shown))) return { value: held, outcome: 'sensitive' };
  return { value: reconcile(held, shown, spec.fallback), outcome: 'compared' };
}

/** @returns undefined if the inventory does not show it */
export function readShown(spec: LeafSpec, { properties, is_complete }: Source): JsonValue | undefined {
  const found = readPath(properties, spec.path);
  if (found === undefined) return is_complete && spec.is_always_shown ? spec.fallback : undefined;
  // A transform would hide that a part is missing.
  if (typeof found === 'string' && isWithheld(found)) return found;
  return isOmitted(found) ? OMITTED : applyTransforms(found, spec.transforms);
}

/** Keeps the value of the state where the value of the cloud is not another one. */
function reconcile(held: JsonValue, shown: JsonValue, fallback: JsonValue): JsonValue {
  if (isNothing(held) && (isNothing(shown) || isSamePlain(shown, fallback))) return held;
  if (Array.isArray(held) && Array.isArray(shown)) return reconcileLists(held, shown);
  if (isObject(held) && isObject(shown)) return reconcileMaps(held, shown);
  // Newer versions of a provider hold one value where older ones held a list.
  if (Array.isArray(held) && held.length === 1 && isSamePlain(held[0] as JsonValue, shown)) return held;
  return isSamePlain(held, shown) ? held : shown;
}

/** What both have stays where it was; what only the cloud has comes last. Beyond this number, names are not compared. */
const MAX_NAMES = 16;

function reconcileLists(held: JsonValue[], shown: JsonValue[]): JsonValue[] {
  const left = countTexts(shown);
  const kept: JsonValue[] = [];
  const lost: JsonValue[] = [];
  for (const item of held) (take(left, toText(item)) ? kept : lost).push(item);
  const rest = shown.filter((item) => take(left, toText(item)));
  if (lost.length === 0 && rest.length === 0) return held;
  if (lost.length > MAX_NAMES || rest.length > MAX_NAMES) return [...kept, ...rest];
  const same = rest.map((item) => lost.find((one) => isSamePlain(one, item)) ?? item);
  return same.length === lost.length && same.every((item) => lost.includes(item)) ? held : [...kept, ...same];
}

function countTexts(items: readonly JsonValue[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(toText(item), (counts.get(toText(item)) ?? 0) + 1);
  return counts;
}

function take(left: Map<string, number>, text: string): boolean {
  const count = left.get(text) ?? 0;
  if (count > 0) left.set(text, count - 1);
  return count > 0;
}

function toText(item: JsonValue): string {
  return typeof item === 'object' ? JSON.stringify(item) : String(item);
}

function reconcileMaps(held: JsonObject, shown: JsonObject): JsonObject {
  const entries = Object.entries(shown).map(([name, value]): [string, JsonValue] => {
    const mine = Object.hasOwn(held, name) ? (held[name] as JsonValue) : undefined;
    if (mine === undefined) return [name, value];
    return [name, isWithheld(mine) || isWithheld(value) || isSamePlain(mine, value) ? mine : value];
  });
  const is_same = entries.length === Object.keys(held).length && entries.every(([name, value]) => held[name] === value);
  return is_same ? held : Object.fromEntries(entries);
}

function overlayBlocks(held: JsonValue, spec: BlockSpec, { properties, is_complete }: Source): Overlaid {
  const found = readPath(properties, spec.path);
  if (found === undefined) {
    if (!is_complete || !spec.is_always_shown) return { value: held, outcome: 'not_shown' };
    return { value: isNothing(held) ? held : [], outcome: 'compared' };
  }
  const items = spec.kind === 'each' ? found : [found];
  if (!Array.isArray(items) || items.some(isHidden)) return { value: held, outcome: 'not_shown' };
  const blocks = toBlocks(held);
  const sources = items.map((item) => ({ properties: item, is_complete }));
  if (blocks.length === 0 && sources.every((source) => isNothing(build(spec.members, source)))) {
    return { value: held, outcome: 'compared' };
  }
  return overlayEach(held, blocks, spec, sources);
}

/** Some providers hold a single block as an object. */
function toBlocks(held: JsonValue): JsonObject[] {
  return (Array.isArray(held) ? held : [held]).filter(isObject);
}

function overlayEach(held: JsonValue, blocks: JsonObject[], spec: BlockSpec, sources: Source[]): Overlaid {
  const { members, key } = spec;
  const pairs = alignBlocks(blocks, sources, { members, key: spec.kind === 'block' ? null : key, build });
  const results: JsonValue[] = [];
  let compared = 0;
  let is_same = sources.length === blocks.length;
  let outcome: Uncompared | undefined;
  for (const [block, source] of pairs) {
    if (source === null) continue;
    if (block === null) {
      results.push(build(members, source));
      is_same = false;
      continue;
    }
    const inner = overlayMembers(block, members, source);
    results.push(inner.value);
    compared += inner.compared;
    is_same &&= inner.value === block;
    outcome ??= inner.missed;
  }
  if (is_same) return { value: held, outcome: compared === 0 && outcome !== undefined ? outcome : 'compared' };
  return { value: Array.isArray(held) || held === null ? results : (results[0] ?? null), outcome: 'compared' };
}

/** One block with the values of the cloud, and how many of its members were compared. */
function overlayMembers(
  block: JsonObject,
  members: Mapping,
  source: Source,
): { value: JsonObject; compared: number; missed: Uncompared | undefined } {
  const value: JsonObject = { ...block };
  let compared = 0;
  let missed: Uncompared | undefined;
  for (const [name, spec] of members) {
    const held = Object.hasOwn(block, name) ? (block[name] as JsonValue) : undefined;
    if (held === undefined) continue;
    const inner = overlay(held, spec, source);
    if (inner.outcome === 'compared') compared += 1;
    else missed ??= inner.outcome;
    value[name] = inner.value;
  }
  const is_same = Object.keys(value).every((name) => value[name] === block[name]);
  return { value: is_same ? block : value, compared, missed };
}

/** The arguments of an object that no state holds, as far as the cloud shows them. */
export function build(members: Mapping, source: Source): JsonObject {
  const built: JsonObject = {};
  for (const [name, spec] of members) {
    const value = spec.kind === 'leaf' ? readShown(spec, source) : buildBlocks(spec, source);
    if (value !== undefined && value !== null && !isWithheld(value)) built[name] = value;
  }
  return built;
}

function buildBlocks(spec: BlockSpec, { properties, is_complete }: Source): JsonValue[] | undefined {
  const found = readPath(properties, spec.path);
  if (found === undefined) return undefined;
  const items = spec.kind === 'each' ? found : [found];
  if (!Array.isArray(items) || items.some(isHidden)) return undefined;
  const blocks = items.map((item) => build(spec.members, { properties: item, is_complete }));
  return spec.path === '.' ? blocks.filter((block) => !isNothing(block)) : blocks;
}
