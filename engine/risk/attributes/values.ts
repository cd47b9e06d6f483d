import { isObject } from '../../lib/is-object.ts';
/** Helpers that read untyped plan values, shared by all rules. */
import type { JsonValue } from '../../model/result.ts';
import type { Value } from './types.ts';

/** Returns true for undefined, null, "", [] and {}, which providers write for attributes that are not set. */
export function isEmpty(value: Value): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Returns an own member of an object; undefined when there is none. */
export function member(value: Value, key: string): Value {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the member at a path of keys. Enters lists at their first element, because a single block is a list. */
export function at(value: Value, ...keys: string[]): Value {
  let current = value;
  for (const key of keys) current = member(Array.isArray(current) ? current[0] : current, key);
  return current;
}

export function text(value: Value): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Returns a list unchanged, a single value as a list of one, and null or undefined as the empty list. */
export function list(value: Value): JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function strings(value: Value): string[] {
  const out: string[] = [];
  for (const item of list(value)) if (typeof item === 'string' && item !== '') out.push(item);
  return out;
}

/** Returns a boolean, also from the strings that old providers write; undefined for any other value. */
export function truth(value: Value): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

/** Returns a number from numbers, numeric strings and durations in seconds (`3600s`); undefined for any other value. */
export function quantity(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > 24) return undefined;
  const digits = value.endsWith('s') ? value.slice(0, -1) : value;
  return digits !== '' && Number.isFinite(Number(digits)) && digits.trim() === digits ? Number(digits) : undefined;
}

/** Compares JSON values deeply; the order of keys does not matter. */
export function same(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!Object.hasOwn(b, key) || !same(a[key], b[key])) return false;
  return true;
}

/** Parses JSON; undefined when it is invalid or longer than `max` characters. */
export function parseJson(source: string, max: number): Value {
  if (source.length > max) return undefined;
  try {
    return JSON.parse(source) as JsonValue;
  } catch {
    return undefined;
  }
}
