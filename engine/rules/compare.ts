import { canonicalJson } from '../canonical-json.ts';
import { maskAt } from '../changes/overlay.ts';
import { holdsMark, isContainer, isObject, type MaybeJson } from '../changes/values.ts';
import type { Mask } from '../plan/types.ts';
import type { JsonObject, JsonValue } from '../result.ts';

const NUMERIC = /^-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?$/;
const MAX_DEPTH = 256;

/** Whether rules take two values for the same: deeply, and a number equals the text that writes it (`8080`, `"8080"`). */
export function isAlike(a: MaybeJson, b: MaybeJson, depth = 0): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b)) return isSameNumber(a, b);
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(a)) return Array.isArray(b) && areListsAlike(a, b, depth + 1);
  return !Array.isArray(b) && areObjectsAlike(a, b, depth + 1);
}

/** Two texts are compared as texts: version 1.10 is not version 1.1. */
function isSameNumber(a: MaybeJson, b: MaybeJson): boolean {
  if (typeof a === 'number') return typeof b === 'string' && toNumber(b) === a;
  return typeof b === 'number' && typeof a === 'string' && toNumber(a) === b;
}

function areListsAlike(a: JsonValue[], b: JsonValue[], depth: number): boolean {
  return a.length === b.length && a.every((item, i) => isAlike(item, b[i], depth));
}

function areObjectsAlike(a: JsonObject, b: JsonObject, depth: number): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isAlike(a[key], b[key], depth));
}

/** A number, or a text that writes one; anything else is undefined. */
export function toNumber(value: MaybeJson): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMERIC.test(value) ? Number(value) : undefined;
}

/** Of a text, a list or a map; anything else has none. */
export function measureLength(value: MaybeJson): number | undefined {
  if (typeof value === 'string') return value.length;
  if (!isContainer(value)) return undefined;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** A value with what is unknown of it. */
export interface PartialValue {
  value: MaybeJson;
  unknown: Mask;
}

/** Whether a text holds a text, a list an item, or a map a key. */
export function contains({ value, unknown }: PartialValue, sought: JsonValue): boolean {
  if (typeof value === 'string') return typeof sought === 'string' && value.includes(sought);
  return collectElements({ value, unknown })?.some((element) => isAlike(element, sought)) ?? false;
}

/**
 * Whether an element stands in one value and not in the other; where no element is given, whether any does.
 *
 * @param inside list or map; the elements of a map are its keys
 * @param outside the same, or null where there is none; a list of which items are unknown may hold anything
 */
export function containsAlone(inside: PartialValue, outside: PartialValue, sought: JsonValue | undefined): boolean {
  const here = collectElements(inside);
  const there = isMissing(outside) ? [] : collectElements(outside);
  if (here === undefined || there === undefined) return false;
  if (Array.isArray(outside.value) && holdsMark(outside.unknown)) return false;
  if (sought !== undefined) return here.some(isSought) && !there.some(isSought);
  const known = new Set(there.map(canonicalJson));
  return here.some((element) => !known.has(canonicalJson(element)));

  function isSought(element: JsonValue): boolean {
    return isAlike(element, sought);
  }
}

function isMissing({ value, unknown }: PartialValue): boolean {
  return (value === undefined || value === null) && !holdsMark(unknown);
}

/** Items that are known throughout; keys, also those whose values are not known yet. */
function collectElements({ value, unknown }: PartialValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) {
    return value.filter((item, i) => item !== null && !holdsMark(maskAt(unknown, i)));
  }
  if (!isObject(value)) return undefined;
  if (!isObject(unknown)) return Object.keys(value);
  return [...new Set([...Object.keys(value), ...Object.keys(unknown).filter((key) => holdsMark(unknown[key]))])];
}
