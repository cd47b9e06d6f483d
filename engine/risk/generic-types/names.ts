import type { JsonObject, JsonValue } from '../../model/result.ts';

/** The plural of an acronym, as in `toFQDNs` and `externalIPs`. */
const PLURAL = /([A-Z])([A-Z]{1,20})s(?![a-z])/g;
const HUMP = /([a-z0-9])([A-Z])/g;
const ACRONYM = /([A-Z]{1,20})([A-Z][a-z])/g;

/** Names come from users' plans, so the cache needs a limit. */
const MAX_KEPT = 10_000;
const cache = new Map<string, string>();

/** Converts `hostNetwork` to `host_network`, and `authorizedIPRanges` to `authorized_ip_ranges`. */
export function snakeCase(name: string): string {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const snake = name
    .slice(0, 200)
    .replace(PLURAL, (_, first: string, rest: string) => `${first}${rest.toLowerCase()}s`)
    .replace(ACRONYM, '$1_$2')
    .replace(HUMP, '$1_$2')
    .toLowerCase();
  if (cache.size >= MAX_KEPT) cache.clear();
  if (name.length <= 200) cache.set(name, snake);
  return snake;
}

/**
 * Renames the members of a value to their Terraform names, recursively.
 *
 * @param renames names that need more than a conversion to snake case
 * @param free members whose contents have user-defined names, such as labels, and are not renamed
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

/** Returns a member as text; empty when there is none. */
export function readText(value: JsonObject | null, name: string): string {
  const member = value !== null && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === 'string' ? member : '';
}
