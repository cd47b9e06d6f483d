import { memoizeText } from '../lib/memoize.ts';
import { inferByName } from './infer.ts';
import { type ArgumentPath, listNames } from './path.ts';
import { type EffectTable, EffectTableReader, type TableBlock, type TableEntry } from './table.ts';
import { TABLES } from './tables.ts';
import type { Effect } from './types.ts';
import { findKind } from './values.ts';

export { compareValues, type Direction } from './direction.ts';
export { EFFECTS, type Effect, type EffectName, SAFE_WORDS, type SafeEnd, type Sentinel } from './types.ts';

const readers = new Map<EffectTable, EffectTableReader>();

/**
 * What an argument of a resource type does, from the table. Indexes in the path are ignored. A path into a map or a
 * JSON text gives the effect of the argument that holds it.
 *
 * @param type resource type, such as `aws_db_instance`
 * @param path path of the argument, such as `['restore_to_point_in_time', 0, 'use_latest_restorable_time']`
 * @returns undefined if the table has no such type or argument: then see {@link inferEffect}
 */
export function findEffect(type: string, path: ArgumentPath): Effect | undefined {
  let block = findType(type) ?? undefined;
  let entry: TableEntry | undefined;
  for (const name of listNames(path)) {
    if (block === undefined) break;
    entry = block.get(name) ?? block.get(`${name}s`) ?? block.get(name.replace(/s$/, ''));
    if (entry === undefined) return undefined;
    block = entry.block;
  }
  return entry?.effect;
}

/** Whether a path leads into a map or a JSON text, whose keys the table does not have. */
export function leadsIntoMap(type: string, path: ArgumentPath): boolean {
  let block = findType(type) ?? undefined;
  if (block === undefined) return false;
  for (const name of listNames(path)) {
    if (block === undefined) return true;
    block = block.get(name)?.block;
  }
  return false;
}

/** Whether the table has a type but not this argument of it, so that only the provider sets its value. */
export function isComputedArgument(type: string, name: string): boolean {
  return isComputedPath(type, [name]);
}

/** The same for an attribute inside blocks. @param path as in {@link findEffect} */
export function isComputedPath(type: string, path: ArgumentPath): boolean {
  let block = findType(type) ?? undefined;
  for (const name of listNames(path)) {
    if (block === undefined) return false;
    if (!block.has(name)) return true;
    block = block.get(name)?.block;
  }
  return false;
}

/**
 * What an argument probably does, from the words of its path and type. For providers and arguments that the table does
 * not have; the result is marked `inferred`, and its effect is `unknown` if no word says anything.
 *
 * @param value a value of the argument: its kind decides the safe end. Null if unknown
 */
export function inferEffect(type: string, path: ArgumentPath, value: unknown = null): Effect {
  const names = listNames(path);
  const kind = findKind(value);
  const key = JSON.stringify([type, kind, ...names]);
  const known = inferred.get(key) ?? inferByName(type, names, kind);
  if (inferred.size >= MAX_INFERRED) inferred.clear();
  if (key.length <= MAX_KEY_CHARS) inferred.set(key, known);
  return known;
}

/** The same arguments occur in many resources, and in each item of a list. */
const inferred = new Map<string, Effect>();
const MAX_INFERRED = 10_000;
const MAX_KEY_CHARS = 200;

/** Number of arguments in the table by provider, those of nested blocks included. */
export function countArguments(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [prefix, table] of Object.entries(TABLES)) {
    const reader = openReader(table);
    const count = reader.listTypes().reduce((sum, type) => sum + countBlock(reader.findType(type)!), 0);
    counts.set(prefix, count);
  }
  return counts;
}

/** Null for an unknown type. Every changed attribute asks for its type, so the search in the table is done once. */
const findType: (type: string) => TableBlock | null = memoizeText((type) => {
  const end = type.indexOf('_');
  const prefix = type.slice(0, Math.max(0, end));
  if (!Object.hasOwn(TABLES, prefix)) return null;
  return openReader(TABLES[prefix]!).findType(type.slice(end + 1)) ?? null;
});

function openReader(table: EffectTable): EffectTableReader {
  const known = readers.get(table) ?? new EffectTableReader(table);
  readers.set(table, known);
  return known;
}

function countBlock(block: TableBlock): number {
  let count = 0;
  for (const { block: inner } of block.values()) count += 1 + (inner === undefined ? 0 : countBlock(inner));
  return count;
}
