/** Values of a Helm release: its documents in order, with its `set` blocks on top. */
import { type MaybeJson, readMember } from '../changes/values.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import type { DocumentReader } from './reader.ts';

/**
 * Merges the values of a release as Helm does.
 *
 * @returns null when a document cannot be read, or a `set` block has no plain name
 */
export function mergeReleaseValues(release: JsonObject, documents: DocumentReader): JsonObject | null {
  const merged: JsonObject = {};
  for (const text of readList(release, 'values')) {
    if (text === null || (typeof text === 'string' && text.trim() === '')) continue;
    const tree = typeof text === 'string' ? documents.read(text)?.tree : undefined;
    if (!isObject(tree)) return null;
    mergeInto(merged, tree);
  }
  const blocks = [...readList(release, 'set'), ...readList(release, 'set_list')];
  return blocks.every((block) => applySet(merged, block)) ? merged : null;
}

function readList(release: JsonObject, name: string): JsonValue[] {
  const list = readMember(release, name);
  return Array.isArray(list) ? list : [];
}

/** Objects are merged; lists and other values replace each other. */
function mergeInto(target: JsonObject, source: JsonObject): void {
  for (const [key, value] of Object.entries(source)) {
    const known = readMember(target, key);
    if (isObject(known) && isObject(value)) mergeInto(known, value);
    else define(target, key, structuredClone(value));
  }
}

function define(target: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

const MAX_SEGMENTS = 40;
const MAX_INDEX = 200;

function applySet(target: JsonObject, block: JsonValue): boolean {
  if (!isObject(block)) return false;
  const [name, value, type] = [readMember(block, 'name'), readMember(block, 'value'), readMember(block, 'type')];
  const path = typeof name === 'string' ? readSetPath(name) : null;
  if (path === null || value === undefined) return false;
  return assign(target, path, type === 'string' ? value : readSetValue(value));
}

/** Segments of `a.b[0].c\.d`; null when the name has another form. */
function readSetPath(name: string): (string | number)[] | null {
  const path: (string | number)[] = [];
  for (const part of name.replaceAll('\\.', '\u0000').split('.')) {
    const [, key, indexes] = /^([^[\]]{1,253})((?:\[\d{1,3}\])*)$/.exec(part) ?? [];
    if (key === undefined || indexes === undefined) return null;
    path.push(key.replaceAll('\u0000', '.'), ...(indexes.match(/\d+/g) ?? []).map(Number));
  }
  return path.length > MAX_SEGMENTS ? null : path;
}

/** Helm reads booleans, whole numbers, null and lists in braces; everything else is text. */
function readSetValue(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  if (value === 'null') return null;
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(value)) return Number(value);
  if (!value.startsWith('{') || !value.endsWith('}')) return value;
  const inner = value.slice(1, -1);
  return inner === '' ? [] : inner.split(',').map((item) => readSetValue(item.trim()));
}

function assign(target: JsonObject, path: readonly (string | number)[], value: JsonValue): boolean {
  let at: JsonValue = target;
  for (const [depth, segment] of path.entries()) {
    const is_last = depth === path.length - 1;
    const next: JsonValue = is_last
      ? value
      : (readChild(at, segment) ?? (typeof path[depth + 1] === 'number' ? [] : {}));
    if (!setChild(at, segment, next)) return false;
    at = next;
  }
  return true;
}

function readChild(parent: JsonValue, segment: string | number): MaybeJson {
  const child = Array.isArray(parent)
    ? parent[Number(segment)]
    : isObject(parent)
      ? readMember(parent, String(segment))
      : undefined;
  return typeof child === 'object' && child !== null ? child : undefined;
}

function setChild(parent: JsonValue, segment: string | number, value: JsonValue): boolean {
  if (isObject(parent) && typeof segment === 'string') {
    define(parent, segment, value);
    return true;
  }
  if (!Array.isArray(parent) || typeof segment !== 'number' || segment > MAX_INDEX) return false;
  while (parent.length < segment) parent.push(null);
  parent[segment] = value;
  return true;
}
