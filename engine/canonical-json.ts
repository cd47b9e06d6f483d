import type { JsonObject, JsonValue } from './result.ts';

/**
 * The one text of a JSON value: keys sorted by UTF-16 code units, no blanks, numbers as ECMAScript writes them.
 *
 * @param value as made by `JSON.parse`; nesting of at most a few thousand levels
 * @returns the canonical text; a lone surrogate, for which the RFC knows no text, stays escaped as `\udxxx`
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
