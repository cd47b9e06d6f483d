import type { JsonObject, JsonValue } from '../model/result.ts';
import type { Mask } from '../plan/types.ts';

/** The reader rejects deeper plans. Deeper values from other sources are cut here to avoid a stack overflow. */
export const MAX_DEPTH = 256;

export type MaybeJson = JsonValue | undefined;

export function isContainer(value: MaybeJson): value is JsonValue[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

/** Returns an own member of an object, so a name such as `constructor` finds nothing inherited. */
export function readMember(object: JsonObject, key: string): MaybeJson {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns true when the mask marks anything, here or below. */
export function holdsMark(mask: Mask, depth = 0): boolean {
  if (mask === true) return true;
  if (typeof mask !== 'object' || mask === null) return false;
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(mask)) return mask.some((item) => holdsMark(item, depth + 1));
  for (const key of Object.keys(mask)) {
    if (holdsMark(mask[key], depth + 1)) return true;
  }
  return false;
}

/** Returns true for undefined, null, and an empty list or object. */
export function isNothing(value: MaybeJson): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** Compares JSON values; the order of object members does not matter. */
export function isEqual(a: MaybeJson, b: MaybeJson, depth = 0): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b) || depth > MAX_DEPTH) return false;
  if (Array.isArray(a)) return Array.isArray(b) && areListsEqual(a, b, depth + 1);
  return !Array.isArray(b) && areObjectsEqual(a, b, depth + 1);
}

function areListsEqual(a: JsonValue[], b: JsonValue[], depth: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!isEqual(a[i], b[i], depth)) return false;
  }
  return true;
}

function areObjectsEqual(a: JsonObject, b: JsonObject, depth: number): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key) || !isEqual(a[key], b[key], depth)) return false;
  }
  return true;
}
