import type { JsonObject } from '../model/result.ts';

/** Returns true for an object of JSON: neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
