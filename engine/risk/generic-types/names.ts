import type { JsonObject, JsonValue } from '../../result.ts';

const HUMP = /([a-z0-9])([A-Z])/g;
const ACRONYM = /([A-Z]{1,20})([A-Z][a-z])/g;

/** Names come from users' plans: what is kept must not grow with them for ever. */
const MAX_KEPT = 10_000;
const cache = new Map<string, string>();

/** `hostNetwork` as `host_network`, `authorizedIPRanges` as `authorized_ip_ranges`. */
export function snakeCase(name: string): string {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const snake = name.slice(0, 200).replace(ACRONYM, '$1_$2').replace(HUMP, '$1_$2').toLowerCase();
  if (cache.size >= MAX_KEPT) cache.clear();
  if (name.length <= 200) cache.set(name, snake);
  return snake;
}

/**
 * A value with the names of its members as Terraform writes them.
 *
 * @param renames names that differ in more than their form
 * @param free members whose own members are free text, such as labels
 */
export function renameMembers(
  value: JsonValue,
  renames: ReadonlyMap<string, string>,
  free: ReadonlySet<string>,
): JsonValue {
  if (Array.isArray(value)) return value.map((item) => renameMembers(item, renames, free));
  if (typeof value !== 'object' || value === null) return value;
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    out[renames.get(name) ?? snakeCase(name)] = free.has(name) ? member : renameMembers(member, renames, free);
  }
  return out;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member as text; empty where there is none. */
export function readText(value: JsonObject | null, name: string): string {
  const member = value !== null && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === 'string' ? member : '';
}
