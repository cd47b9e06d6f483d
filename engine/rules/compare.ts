import { maskAt } from '../changes/overlay.ts';
import { holdsMark, isContainer, type MaybeJson } from '../changes/values.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import type { Mask } from '../plan/types.ts';

const NUMERIC = /^-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?$/;
const MAX_DEPTH = 256;

/** Deep equality for rules; a number equals its string form (`8080`, `"8080"`). */
export function isAlike(a: MaybeJson, b: MaybeJson, depth = 0): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b)) return isSameNumber(a, b);
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(a)) return Array.isArray(b) && areListsAlike(a, b, depth + 1);
  return !Array.isArray(b) && areObjectsAlike(a, b, depth + 1);
}

/** Two strings are compared as strings: version 1.10 is not version 1.1. */
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

/** A number, or a numeric string as a number; undefined for anything else. */
export function toNumber(value: MaybeJson): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMERIC.test(value) ? Number(value) : undefined;
}

/** Length of a string, list or map; undefined for anything else. */
export function measureLength(value: MaybeJson): number | undefined {
  if (typeof value === 'string') return value.length;
  if (!isContainer(value)) return undefined;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** A value with its unknown parts. */
export interface PartialValue {
  value: MaybeJson;
  unknown: Mask;
}

/** Whether a string contains a substring, a list an item, or a map a key. */
export function contains({ value, unknown }: PartialValue, sought: JsonValue): boolean {
  if (typeof value === 'string') return typeof sought === 'string' && value.includes(sought);
  return collectElements({ value, unknown })?.some((element) => isAlike(element, sought)) ?? false;
}

/**
 * Whether an element is in one value but not in the other; without `sought`, whether any element is.
 *
 * @param inside list or map; the elements of a map are its keys
 * @param outside the same, or null; returns false if it is a list with unknown items
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

/** Fully known items of a list; all keys of a map, including those with unknown values. */
function collectElements({ value, unknown }: PartialValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) {
    return value.filter((item, i) => item !== null && !holdsMark(maskAt(unknown, i)));
  }
  if (!isObject(value)) return undefined;
  if (!isObject(unknown)) return Object.keys(value);
  return [...new Set([...Object.keys(value), ...Object.keys(unknown).filter((key) => holdsMark(unknown[key]))])];
}
