import { isObject } from '../../lib/is-object.ts';
import type { JsonValue } from '../../model/result.ts';
import type { Mask } from '../../plan/types.ts';
import type { Path, Value } from './types.ts';
import { member, same } from './values.ts';

/** The two sides of one path in a resource. `unknown` means that the new value is unknown until apply. */
export interface Pair {
  path: Path;
  before: Value;
  after: Value;
  unknown: boolean;
}

/** Attributes that identify the elements of a block list. */
const NATURAL_KEYS = [
  'name',
  'id',
  'key',
  'priority',
  'origin_id',
  'rule_no',
  'device_name',
  'path_pattern',
  'region_name',
  'location',
  'sid',
];
/** Longer lists are matched by the text of their elements instead of pairwise. */
const PAIRWISE_MAX = 16;

/**
 * Returns both sides of every path that matches a pattern. List elements are matched by a natural key, or else by
 * equality and then by order, so a reordered list yields equal sides.
 *
 * @param pattern segments; `*` matches any list index or map key, and is skipped when a block is a single object
 */
export function pairsAt(pattern: readonly string[], before: Value, after: Value, unknown: Mask): Pair[] {
  const out: Pair[] = [];
  step(pattern, 0, { path: [], before, after, unknown: false }, unknown, out);
  return out;
}

function step(pattern: readonly string[], index: number, here: Pair, mask: Mask, out: Pair[]): void {
  if (mask === true || index === pattern.length) {
    out.push(mask === true ? { ...here, unknown: true } : here);
    return;
  }
  const segment = pattern[index]!;
  if (segment !== '*') {
    stepInto(pattern, index, segment, here, mask, out);
  } else if (Array.isArray(here.before) || Array.isArray(here.after) || Array.isArray(mask)) {
    stepList(pattern, index, here, mask, out);
  } else if (index + 1 < pattern.length) {
    step(pattern, index + 1, here, mask, out);
  } else {
    const keys = new Set([...collectKeys(here.before), ...collectKeys(here.after), ...collectKeys(mask)]);
    for (const key of keys) stepInto(pattern, index, key, here, mask, out);
  }
}

function stepInto(pattern: readonly string[], index: number, key: string, here: Pair, mask: Mask, out: Pair[]): void {
  const before = member(here.before, key);
  const after = member(here.after, key);
  const below = member(mask, key);
  if (before === undefined && after === undefined && below !== true && !isObject(below) && !Array.isArray(below))
    return;
  step(pattern, index + 1, { path: [...here.path, key], before, after, unknown: false }, below, out);
}

function stepList(pattern: readonly string[], index: number, here: Pair, mask: Mask, out: Pair[]): void {
  const before = Array.isArray(here.before) ? here.before : [];
  const after = Array.isArray(here.after) ? here.after : [];
  const masks = Array.isArray(mask) ? mask : [];
  for (const [b, a] of align(before, after)) {
    const path = [...here.path, a < 0 ? b : a];
    const element = { path, before: before[b], after: after[a], unknown: false };
    step(pattern, index + 1, element, a < 0 ? false : masks[a], out);
  }
  for (let i = after.length; i < masks.length; i++) {
    step(
      pattern,
      index + 1,
      { path: [...here.path, i], before: undefined, after: undefined, unknown: false },
      masks[i],
      out,
    );
  }
}

/** Matches the elements of two lists and returns pairs of indexes; -1 when an element has no partner. */
export function align(before: readonly JsonValue[], after: readonly JsonValue[]): [number, number][] {
  if (before.length <= 1 && after.length <= 1)
    return before.length + after.length === 0 ? [] : [[before.length - 1, after.length - 1]];
  const key = NATURAL_KEYS.find((name) => isUniqueKey(before, name) && isUniqueKey(after, name));
  return key === undefined ? alignByValue(before, after) : alignByKey(before, after, key);
}

function isUniqueKey(elements: readonly JsonValue[], key: string): boolean {
  const seen = new Set<JsonValue>();
  for (const element of elements) {
    const value = member(element, key);
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '' || seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}

function alignByKey(before: readonly JsonValue[], after: readonly JsonValue[], key: string): [number, number][] {
  const left = new Map<Value, number>(before.map((element, index) => [member(element, key), index]));
  const pairs: [number, number][] = after.map((element, index) => {
    const name = member(element, key);
    const partner = left.get(name) ?? -1;
    left.delete(name);
    return [partner, index];
  });
  for (const index of left.values()) pairs.push([index, -1]);
  return pairs;
}

function alignByValue(before: readonly JsonValue[], after: readonly JsonValue[]): [number, number][] {
  const large = before.length > PAIRWISE_MAX || after.length > PAIRWISE_MAX;
  const [restBefore, restAfter] = large ? restByText(before, after) : restByEquality(before, after);
  const pairs: [number, number][] = [];
  for (let i = 0; i < Math.max(restBefore.length, restAfter.length); i++)
    pairs.push([restBefore[i] ?? -1, restAfter[i] ?? -1]);
  return pairs;
}

function restByEquality(before: readonly JsonValue[], after: readonly JsonValue[]): [number[], number[]] {
  const restBefore = before.map((_, index) => index);
  const restAfter: number[] = [];
  for (let index = 0; index < after.length; index++) {
    const partner = restBefore.findIndex((candidate) => same(before[candidate], after[index]));
    if (partner < 0) restAfter.push(index);
    else restBefore.splice(partner, 1);
  }
  return [restBefore, restAfter];
}

function restByText(before: readonly JsonValue[], after: readonly JsonValue[]): [number[], number[]] {
  const left = new Map<string, number[]>();
  before.forEach((element, index) => {
    const text = JSON.stringify(element);
    const known = left.get(text);
    if (known) known.push(index);
    else left.set(text, [index]);
  });
  const restAfter: number[] = [];
  after.forEach((element, index) => {
    if (left.get(JSON.stringify(element))?.pop() === undefined) restAfter.push(index);
  });
  return [[...left.values()].flat().sort((a, b) => a - b), restAfter];
}

function collectKeys(value: Mask): string[] {
  return isObject(value) ? Object.keys(value) : [];
}
