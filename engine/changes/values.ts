import type { Mask } from '../plan/types.ts';
import type { JsonObject, JsonValue } from '../result.ts';

/** The reader refuses deeper plans; values from elsewhere are cut here instead of exhausting the stack. */
export const MAX_DEPTH = 256;

export type MaybeJson = JsonValue | undefined;

export function isContainer(value: MaybeJson): value is JsonValue[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

export function isObject(value: MaybeJson): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own member of an object; a name such as `constructor` finds nothing that the JSON text did not hold. */
export function readMember(object: JsonObject, key: string): MaybeJson {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** True where the mask marks anything at all, at this place or below. */
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

/** Absent, null, or a list or object without anything in it. */
export function isNothing(value: MaybeJson): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** Same JSON, the order of an object's members aside. */
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
