import { canonicalJson } from '../lib/canonical-json.ts';
import type { JsonValue } from '../model/result.ts';

/** Returns the items of a set sorted by their canonical JSON, without duplicates. */
export function sortedSet(items: JsonValue[]): JsonValue[] {
  if (items.length < 2) return items;
  const texts = new Map(items.map((item) => [canonicalJson(item), item]));
  return [...texts.keys()].sort().map((text) => texts.get(text) as JsonValue);
}

/** Lowercases only ASCII letters, because Unicode lowercasing merges letters that services treat as different. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
