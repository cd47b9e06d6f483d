import type { PathNode } from '../changes/path-node.ts';
import type { SideReader } from '../changes/side-reader.ts';
import { isObject } from '../lib/is-object.ts';
import type { AttributeDiff, JsonValue } from '../model/result.ts';
import data from './schema-defaults.json' with { type: 'json' };

type Defaults = ReadonlyMap<string, JsonValue>;

const NONE: Defaults = new Map();
/** By provider, the texts of its types by type without prefix. */
const known = new Map<string, ReadonlyMap<string, string>>();

/**
 * What a resource type uses for arguments that are not set, by path without indexes, as the documentation of its provider
 * says. `npm run defaults` compiles them.
 */
export function findSchemaDefaults(type: string): Defaults {
  const end = type.indexOf('_');
  const provider = type.slice(0, end);
  if (end < 0 || !Object.hasOwn(data, provider)) return NONE;
  let types = known.get(provider);
  if (types === undefined) {
    types = new Map(data[provider as keyof typeof data].split(';').map((text) => split(text, ':')));
    known.set(provider, types);
  }
  const table = types.get(type.slice(end + 1));
  return table === undefined ? NONE : new Map(table.split(' ').map(readPair));
}

function readPair(text: string): [path: string, value: JsonValue] {
  const [path, value] = split(text, '=');
  return [path, value.startsWith("'") ? value.slice(1) : (JSON.parse(value) as JsonValue)];
}

function split(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Whether one value of a leaf is not set, and the other one is the default, in a block that both sides have. */
export function statesDefault(
  defaults: Defaults,
  node: PathNode,
  { before, after }: AttributeDiff,
  readBefore: SideReader,
  readAfter: SideReader,
): boolean {
  if (defaults.size === 0 || node.parent === null || typeof node.segment !== 'string') return false;
  if (isUnset(before) === isUnset(after)) return false;
  const names = node.segments.filter((segment) => typeof segment === 'string');
  if (defaults.get(names.join('.')) !== (isUnset(before) ? after : before)) return false;
  return [readBefore(node.parent), readAfter(node.parent)].every(isObject);
}

function isUnset(value: JsonValue): boolean {
  return value === null || value === '';
}
