import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject, JsonValue } from '../result.ts';

/** The items of a set in the one order that equal sets share, none of them twice. */
export function sortedSet(items: JsonValue[]): JsonValue[] {
  if (items.length < 2) return items;
  const texts = new Map(items.map((item) => [canonicalJson(item), item]));
  return [...texts.keys()].sort().map((text) => texts.get(text) as JsonValue);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Only ASCII letters fold: beyond them lower case makes one letter of two that no service takes for the same. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
