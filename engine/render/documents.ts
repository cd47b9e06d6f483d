import { renderPath } from '../changes/path.ts';
import { isContainer } from '../changes/values.ts';
import { looksLikeJson } from '../lib/json-text.ts';
import type { JsonValue } from '../model/result.ts';

/** A difference between two JSON documents. */
export interface DocumentDifference {
  /** Path in the format of `AttributeDiff.path`; empty for the whole document. */
  path: string;
  op: 'add' | 'update' | 'remove';
  before: JsonValue;
  after: JsonValue;
}

const MAX_DEPTH = 50;
const MAX_DIFFERENCES = 100;

/** Differences between two JSON texts; null if either one is not a JSON object or list, or if both are equal. */
export function documentDifferences(before: JsonValue, after: JsonValue): DocumentDifference[] | null {
  const [left, right] = [readDocument(before), readDocument(after)];
  if (left === undefined || right === undefined) return null;
  const found: DocumentDifference[] = [];
  compare(left, right, { segments: [], found });
  return found.length === 0 ? null : found;
}

function readDocument(value: JsonValue): JsonValue | undefined {
  if (typeof value !== 'string' || !looksLikeJson(value)) return undefined;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return undefined;
  }
}

interface Walk {
  segments: (string | number)[];
  found: DocumentDifference[];
}

function compare(before: JsonValue, after: JsonValue, walk: Walk): void {
  const { segments, found } = walk;
  if (found.length === MAX_DIFFERENCES) return;
  if (
    segments.length < MAX_DEPTH &&
    isContainer(before) &&
    isContainer(after) &&
    Array.isArray(before) === Array.isArray(after)
  ) {
    for (const key of collectKeys(before, after)) compareMember(before, after, key, walk);
    return;
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  found.push({ path: renderPath(segments), op: 'update', before, after });
}

type Tree = JsonValue[] | { [key: string]: JsonValue };

function compareMember(before: Tree, after: Tree, key: string | number, walk: Walk): void {
  const [left, right] = [readMember(before, key), readMember(after, key)];
  const inner = { ...walk, segments: [...walk.segments, key] };
  if (left !== undefined && right !== undefined) compare(left, right, inner);
  else if (walk.found.length < MAX_DIFFERENCES) {
    const op = left === undefined ? 'add' : 'remove';
    walk.found.push({ path: renderPath(inner.segments), op, before: left ?? null, after: right ?? null });
  }
}

function collectKeys(before: Tree, after: Tree): (string | number)[] {
  if (Array.isArray(before)) return [...Array(Math.max(before.length, (after as JsonValue[]).length)).keys()];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function readMember(tree: Tree, key: string | number): JsonValue | undefined {
  return Object.hasOwn(tree, key) ? (tree as Record<string | number, JsonValue>)[key] : undefined;
}
