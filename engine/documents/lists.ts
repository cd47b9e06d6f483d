import { isContainer, isNothing, type MaybeJson, readMember } from '../changes/values.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

/** Members of an element that hold its name and its value: environment variables, parameters, tags, Helm values. */
const NAMES = ['name', 'key', 'Name', 'Key', 'ParameterKey', 'parameter_key'];
const VALUES = ['value', 'Value', 'valueFrom', 'value_from', 'value_source', 'ParameterValue', 'parameter_value'];
/** Members that say how the value is read or applied. */
const OTHERS = new Set(['type', 'apply_method', 'namespace', 'resource', 'slot_setting', 'propagate_at_launch']);

/** Whether a list contains neither lists nor objects, such as a list of addresses or words of a command. */
export function isPlainList(list: readonly JsonValue[]): boolean {
  return list.every((item) => !isContainer(item));
}

/**
 * Returns a list of elements with a name and a value as a map.
 *
 * @returns null when an element has no such name, has other members, or has the name of another element
 */
export function toNamedValues(list: readonly JsonValue[]): JsonObject | null {
  const map = Object.create(null) as JsonObject;
  for (const item of list) {
    const named = isObject(item) ? readNamedValue(item) : null;
    if (named === null || Object.hasOwn(map, named.name)) return null;
    map[named.name] = named.value;
  }
  return map;
}

function readNamedValue(item: JsonObject): { name: string; value: JsonValue } | null {
  const name_key = NAMES.find((key) => typeof readMember(item, key) === 'string');
  const value_keys = VALUES.filter((key) => Object.hasOwn(item, key));
  if (name_key === undefined || value_keys.length === 0) return null;
  const known = new Set([name_key, ...value_keys]);
  const has_more = Object.keys(item).some((key) => !known.has(key) && !OTHERS.has(key) && !isNothing(item[key]));
  if (has_more) return null;
  return { name: item[name_key] as string, value: findValue(item, value_keys) ?? null };
}

/** Providers write the unused ones of several members as empty. */
function findValue(item: JsonObject, keys: readonly string[]): MaybeJson {
  return keys.map((key) => item[key]).find((value) => value !== '' && !isNothing(value));
}
