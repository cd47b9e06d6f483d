import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { sortedSet } from './values.ts';

/** Lists of a container definition that are read by name, which the service returns in another order. */
const BY_NAME = new Set(['environment', 'secrets']);

/** Normalizes container definitions of ECS: environment variables and secrets are sets. */
export function normalizeContainers(definitions: JsonValue): JsonValue {
  if (!Array.isArray(definitions)) return definitions;
  return definitions.map((definition) => (isObject(definition) ? sortMembers(definition) : definition));
}

function sortMembers(definition: JsonObject): JsonObject {
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(definition)) copy[key] = BY_NAME.has(key) ? sortNames(value) : value;
  return copy;
}

/** A name that occurs twice would make the order matter. */
function sortNames(list: JsonValue): JsonValue {
  if (!Array.isArray(list)) return list;
  const names = new Set(list.map((item) => (isObject(item) ? item['name'] : undefined)));
  return names.size === list.length && !names.has(undefined) ? sortedSet(list) : list;
}
