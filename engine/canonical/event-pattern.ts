import type { JsonObject, JsonValue } from '../result.ts';
import { isObject, sortedSet } from './values.ts';

/** Members whose list is read in pairs: `["numeric": [">", 0, "<=", 5]]`. */
const ORDERED = new Set(['numeric']);

/**
 * An event pattern or a filter policy of AWS with its lists as sets: an event matches when any item does.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function normalisePattern(pattern: JsonValue): JsonValue {
  if (Array.isArray(pattern)) return sortedSet(pattern.map(normalisePattern));
  if (!isObject(pattern)) return pattern;
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(pattern)) copy[key] = ORDERED.has(key) ? value : normalisePattern(value);
  return copy;
}
