import { addressForm } from '../canonical/names.ts';
import type { ResourceLocation } from '../canonical/resource-location.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { extendNames, findHintAt, isSetAt, type TypeHints } from './equivalences.ts';
import { isPositionFree } from './position-free.ts';
import { canonicalText } from './texts.ts';

/** Resource context for comparing sets. */
export interface SetScope {
  hints: TypeHints;
  location: ResourceLocation;
}

/**
 * Whether two lists contain the same items with the same multiplicity, in any order. Nested sets are compared as sets,
 * strings by the hints of their path, and empty members of blocks are ignored.
 *
 * @param path path of the list without indexes
 */
export function isSameSet(before: JsonValue, after: JsonValue, path: string, scope: SetScope): boolean {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return false;
  // A variable can use those above it.
  if (path.endsWith('.env') && canonicalJson(before).includes('$(')) return false;
  const left = sortedItems(before, path, scope);
  const right = sortedItems(after, path, scope);
  return left.every((text, i) => text === right[i]);
}

function sortedItems(items: JsonValue[], path: string, scope: SetScope): string[] {
  return items.map((item) => canonicalJson(canonicalItem(item, path, scope))).sort();
}

function canonicalItem(item: JsonValue, path: string, scope: SetScope): JsonValue {
  if (typeof item === 'string') {
    const hint = findHintAt(scope.hints, path);
    if (hint !== null) return canonicalText(item, hint, scope.location);
    return item.includes(':') ? (addressForm(item) ?? item) : item;
  }
  if (item === null || typeof item !== 'object') return item;
  return Array.isArray(item)
    ? item.map((inner) => canonicalItem(inner, path, scope))
    : canonicalBlock(item, path, scope);
}

function canonicalBlock(block: JsonObject, path: string, scope: SetScope): JsonObject {
  const copy: JsonObject = Object.create(null);
  for (const [name, value] of Object.entries(block)) {
    if (isNothing(value)) continue;
    const inner = extendNames(path, name);
    if (Array.isArray(value)) copy[name] = canonicalList(value, inner, scope);
    // Values of a user-defined map are compared as they are.
    else copy[name] = typeof value === 'string' ? canonicalItem(value, inner, scope) : value;
  }
  return copy;
}

function canonicalList(items: JsonValue[], path: string, scope: SetScope): JsonValue {
  return isSetAt(scope.hints, path) || isFreeList(items, path)
    ? sortedItems(items, path, scope)
    : items.map((item) => canonicalItem(item, path, scope));
}

/** A list of texts whose name says that its order has no meaning. */
function isFreeList(items: JsonValue[], path: string): boolean {
  return items.every((item) => typeof item === 'string') && isPositionFree(path.slice(path.lastIndexOf('.') + 1));
}

function isNothing(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
