import type { JsonObject, JsonValue } from '../model/result.ts';

/**
 * Canonical text of a JSON value: keys sorted by UTF-16 code units, no whitespace, numbers in ECMAScript format.
 *
 * @param value output of `JSON.parse`, nested at most a few thousand levels
 * @returns the canonical text; a lone surrogate, which the RFC does not define, stays escaped as `\udxxx`
 * @see RFC 8785, JSON Canonicalization Scheme
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
}

function canonicalArray(items: JsonValue[]): string {
  if (items.every((item) => item === null || typeof item !== 'object')) return JSON.stringify(items);
  let text = '[';
  for (const item of items) text += (text.length > 1 ? ',' : '') + canonicalJson(item);
  return `${text}]`;
}

function canonicalObject(object: JsonObject): string {
  let text = '{';
  for (const key of Object.keys(object).sort()) {
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${canonicalJson(object[key] as JsonValue)}`;
  }
  return `${text}}`;
}
