import type { JsonObject, JsonValue } from '../model/result.ts';
import { UnreadableError } from './errors.ts';

const MAX_DEPTH = 100;
/** Members with the number of entries: of a list or set, and of a map. */
const LIST_COUNT = '#';
const MAP_COUNT = '%';

type Entries = [path: string, value: string][];

/**
 * Restores the nesting of attributes that Terraform before 0.12 wrote: `{"tags.%": "1", "tags.Name": "a"}` becomes
 * `{"tags": {"Name": "a"}}`. Values stay texts, because only the provider's schema has their types. Items of a set have
 * the order of the file.
 *
 * @throws UnreadableError if a value is not a text
 */
export function expandFlat(flat: JsonObject): JsonObject {
  const entries = Object.entries(flat).map(([path, value]): [string, string] => {
    if (typeof value === 'string') return [path, value];
    throw new UnreadableError('attributes_flat has a value that is not a text');
  });
  return expandMembers(entries, 0);
}

function expandMembers(entries: Entries, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw new UnreadableError('attributes_flat is nested too deep');
  return Object.fromEntries(groupEntries(entries).map(([name, inner]) => [name, expandValue(inner, depth + 1)]));
}

/** @param entries with the paths below one name; '' for the value itself */
function expandValue(entries: Entries, depth: number): JsonValue {
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === '') return first[1];
  if (entries.some(([path]) => path === MAP_COUNT)) {
    return Object.fromEntries(entries.filter(([path]) => path !== MAP_COUNT && path !== ''));
  }
  const below = entries.filter(([path]) => path !== LIST_COUNT && path !== '');
  if (below.length < entries.length) return groupEntries(below).map(([, inner]) => expandValue(inner, depth + 1));
  return expandMembers(entries, depth);
}

/** Groups entries by the first segment of their path, and removes it. */
function groupEntries(entries: Entries): [string, Entries][] {
  const groups = new Map<string, Entries>();
  for (const [path, value] of entries) {
    const dot = path.indexOf('.');
    const name = dot < 0 ? path : path.slice(0, dot);
    const inner: [string, string] = [dot < 0 ? '' : path.slice(dot + 1), value];
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [inner]);
    else group.push(inner);
  }
  return [...groups];
}
