import { renderPath } from '../changes/path.ts';
import { listDifferences } from '../documents/differences.ts';
import type { DocumentReader } from '../documents/reader.ts';
import { recognizeFormat } from '../documents/recognize.ts';
import type { DocumentDifference } from '../documents/types.ts';
import { cutText } from '../lib/trim.ts';
import type { AttributeDiff, InsideDiff, JsonValue } from '../model/result.ts';
import { isSecretName } from '../redact/secrets.ts';

/** openapi.yaml, AttributeDiff.inside */
const MAX_INSIDE = 20;
const MAX_STRING = 200;
const MAX_ITEMS = 20;
/** Reading documents again takes as long as judging them, so only those of the first changes are read. */
const MAX_DOCUMENTS = 100;
const MIN_DOCUMENT = 2;
type Segments = DocumentDifference['path'];
const TREES = new Set(['json', 'yaml', 'properties']);

/** What differs inside the document that a value is; undefined if it is none, or if nothing can be listed. */
export type InsideFinder = (diff: AttributeDiff) => InsideDiff[] | undefined;

/**
 * Creates a finder for redacted values. It reads JSON, YAML and properties as they stand: in encoded or compressed
 * texts, secrets were not withheld one by one.
 */
export function createInsideFinder(documents: DocumentReader): InsideFinder {
  let left = MAX_DOCUMENTS;
  return (diff) => {
    const { before, after } = diff;
    if (left === 0 || diff.same !== undefined || !isTree(before) || !isTree(after)) return undefined;
    const [from, to] = [documents.read(before), documents.read(after)];
    if (from?.tree === undefined || to?.tree === undefined) return undefined;
    left -= 1;
    const inside = listDifferences(from, to).slice(0, MAX_INSIDE).flatMap(toInside).slice(0, MAX_INSIDE);
    return inside.length > 0 ? inside : undefined;
  };
}

function isTree(value: JsonValue): value is string {
  return typeof value === 'string' && value.length > MIN_DOCUMENT && TREES.has(recognizeFormat(value));
}

/** The members of what comes or goes as a whole stand one by one: see `listDifferences`. */
function toInside({ path, before = null, after = null }: DocumentDifference): InsideDiff[] {
  if (isSecretName(path)) return [];
  const [from, to] = [toPlainList(before), toPlainList(after)];
  if (from === null || to === null || !(Array.isArray(before) || Array.isArray(after)))
    return toLeaf(path, before, after);
  const kept = new Set(to);
  const is_edited = from.length === 0 || to.length === 0 || from.some((item) => kept.has(item));
  const items = is_edited ? compareItems(path, from, to) : [];
  return items.length > 0 ? items : toLeaf(path, before, after);
}

function toLeaf(path: Segments, before: JsonValue, after: JsonValue): InsideDiff[] {
  const [from, to] = [shorten(before), shorten(after)];
  return from === undefined || to === undefined ? [] : [{ path: renderPath(path), before: from, after: to }];
}

/** A policy may write one value as a text or as a list of one. Null for a list of blocks. */
function toPlainList(value: JsonValue): JsonValue[] | null {
  if (value === null) return [];
  if (!Array.isArray(value)) return typeof value === 'object' ? null : [value];
  return value.some((item) => item !== null && typeof item === 'object') ? null : value;
}

/** The items that come and go, by their index; empty if only the order differs. */
function compareItems(path: Segments, before: readonly JsonValue[], after: readonly JsonValue[]): InsideDiff[] {
  const [kept, still] = [new Set(after), new Set(before)];
  const found: InsideDiff[] = [];
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    const from = i < before.length && !kept.has(before[i]!) ? shorten(before[i]!) : null;
    const to = i < after.length && !still.has(after[i]!) ? shorten(after[i]!) : null;
    if (from !== null || to !== null)
      found.push({ path: renderPath([...path, i]), before: from ?? null, after: to ?? null });
  }
  return found;
}

/** @returns undefined for a list of blocks; null for an empty block */
function shorten(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'string') return cutText(value, MAX_STRING);
  if (value === null || typeof value !== 'object') return value;
  if (!Array.isArray(value)) return Object.keys(value).length === 0 ? null : undefined;
  if (value.some((item) => item !== null && typeof item === 'object')) return undefined;
  return value.slice(0, MAX_ITEMS).map((item) => (typeof item === 'string' ? cutText(item, MAX_STRING) : item));
}
