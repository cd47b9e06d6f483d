import { isObject } from '../lib/is-object.ts';
import type { JsonValue } from '../model/result.ts';
import { isEqual, type MaybeJson, readMember } from './values.ts';

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

type Pairs = readonly (readonly [number, number])[];

/** Many rules align the same lists, and long ones take long. A list is only ever compared with one other. */
const aligned = new WeakMap<readonly JsonValue[], { after: readonly JsonValue[]; pairs: Pairs }>();

/** Matches the elements of two lists and returns pairs of indexes; -1 when an element has no partner. */
export function align(before: readonly JsonValue[], after: readonly JsonValue[]): Pairs {
  if (before.length <= 1 && after.length <= 1)
    return before.length + after.length === 0 ? [] : [[before.length - 1, after.length - 1]];
  if (!isLarge(before, after)) return alignElements(before, after);
  const known = aligned.get(before);
  if (known?.after === after) return known.pairs;
  const pairs = alignElements(before, after);
  aligned.set(before, { after, pairs });
  return pairs;
}

function alignElements(before: readonly JsonValue[], after: readonly JsonValue[]): Pairs {
  const key = NATURAL_KEYS.find((name) => isUniqueKey(before, name) && isUniqueKey(after, name));
  return key === undefined ? alignByValue(before, after) : alignByKey(before, after, key);
}

const isLarge = (before: readonly JsonValue[], after: readonly JsonValue[]): boolean =>
  before.length > PAIRWISE_MAX || after.length > PAIRWISE_MAX;

function readKey(element: JsonValue, key: string): MaybeJson {
  return isObject(element) ? readMember(element, key) : undefined;
}

function isUniqueKey(elements: readonly JsonValue[], key: string): boolean {
  const seen = new Set<JsonValue>();
  for (const element of elements) {
    const value = readKey(element, key);
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '' || seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}

function alignByKey(before: readonly JsonValue[], after: readonly JsonValue[], key: string): [number, number][] {
  const left = new Map<MaybeJson, number>(before.map((element, index) => [readKey(element, key), index]));
  const pairs: [number, number][] = after.map((element, index) => {
    const name = readKey(element, key);
    const partner = left.get(name) ?? -1;
    left.delete(name);
    return [partner, index];
  });
  for (const index of left.values()) pairs.push([index, -1]);
  return pairs;
}

function alignByValue(before: readonly JsonValue[], after: readonly JsonValue[]): [number, number][] {
  const [restBefore, restAfter] = isLarge(before, after) ? restByText(before, after) : restByEquality(before, after);
  const pairs: [number, number][] = [];
  for (let i = 0; i < Math.max(restBefore.length, restAfter.length); i++)
    pairs.push([restBefore[i] ?? -1, restAfter[i] ?? -1]);
  return pairs;
}

function restByEquality(before: readonly JsonValue[], after: readonly JsonValue[]): [number[], number[]] {
  const restBefore = before.map((_, index) => index);
  const restAfter: number[] = [];
  for (let index = 0; index < after.length; index++) {
    const partner = restBefore.findIndex((candidate) => isEqual(before[candidate], after[index]));
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
