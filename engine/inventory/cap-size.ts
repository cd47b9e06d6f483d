import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { cutText, OMITTED } from './withheld.ts';

const MAX_LIST_LENGTH = 1_000;
const MAX_BYTES = 131_072;

/** Cuts long texts and lists, and then omits the largest members until the object has at most 128 KiB as JSON. */
export function capSize(object: JsonObject): JsonObject {
  const capped = capValue(object) as JsonObject;
  let left = countBytes(capped);
  if (left <= MAX_BYTES) return capped;
  const members = Object.keys(capped).map((key) => ({ key, bytes: countBytes(capped[key] as JsonValue) }));
  for (const { key, bytes } of members.sort((a, b) => b.bytes - a.bytes)) {
    if (left <= MAX_BYTES) break;
    capped[key] = OMITTED;
    left -= bytes - OMITTED.length - 2;
  }
  return left <= MAX_BYTES ? capped : { [OMITTED]: true };
}

function capValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) return capList(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cutText(key), capValue(member)]));
}

function capList(list: JsonValue[]): JsonValue[] {
  const kept = list.slice(0, MAX_LIST_LENGTH).map(capValue);
  return list.length <= MAX_LIST_LENGTH ? kept : [...kept, OMITTED];
}

function countBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}
