import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { sortedSet } from './values.ts';

/** Members whose list has a significant order, such as the pairs in `{"numeric": [">", 0, "<=", 5]}`. */
const ORDERED = new Set(['numeric']);

/**
 * Normalizes an AWS event pattern or filter policy. Lists are sets, because an event matches when any item matches.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function normalizePattern(pattern: JsonValue): JsonValue {
  if (Array.isArray(pattern)) return sortedSet(pattern.map(normalizePattern));
  if (!isObject(pattern)) return pattern;
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(pattern)) copy[key] = ORDERED.has(key) ? value : normalizePattern(value);
  return copy;
}
