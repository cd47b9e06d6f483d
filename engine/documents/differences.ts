import { align } from '../changes/align.ts';
import { isContainer, isEqual, isNothing, type MaybeJson, readMember } from '../changes/values.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { isPlainList, toNamedValues } from './lists.ts';
import type { Document, DocumentDifference } from './types.ts';

/** More differences than this say that another document took the place of this one. */
const MAX_DIFFERENCES = 2000;

/** Whether two documents mean the same: equal trees, or the same statements in the same order. */
export function isSameContent(before: Document, after: Document): boolean {
  if (before.lossy || after.lossy || !isEqual(before.numbers ?? [], after.numbers ?? [])) return false;
  if (before.tree !== undefined && after.tree !== undefined) return isEqual(before.tree, after.tree);
  if (before.statements === undefined || after.statements === undefined) return false;
  return before.format === after.format && isEqual(before.exact ?? before.statements, after.exact ?? after.statements);
}

/**
 * Lists where two documents differ: the leaves of trees, and the statements that only one side has.
 *
 * Elements of a list are matched by a natural key such as `name`, then by equality, then by order. A list of names and
 * values is compared as a map, and a list without containers as a whole.
 *
 * @returns in document order of `after`, then what only `before` has; at most 2,000
 */
export function listDifferences(before: Document, after: Document): DocumentDifference[] {
  if (before.tree !== undefined && after.tree !== undefined) return listValueDifferences(before.tree, after.tree);
  const out: DocumentDifference[] = [];
  compareStatements(listStatements(before), listStatements(after), out);
  return out;
}

/** Lists where two values differ, like {@link listDifferences}. */
export function listValueDifferences(before: JsonValue, after: JsonValue): DocumentDifference[] {
  const out: DocumentDifference[] = [];
  compareValues([], before, after, out);
  return out;
}

function listStatements({ tree, statements }: Document): string[] {
  if (statements !== undefined) return statements;
  return JSON.stringify(tree, null, 1)
    .split('\n')
    .map((line) => line.trim());
}

function compareValues(
  path: DocumentDifference['path'],
  before: MaybeJson,
  after: MaybeJson,
  out: DocumentDifference[],
) {
  if (out.length >= MAX_DIFFERENCES || isEqual(before, after)) return;
  if (isObject(before) && isObject(after)) compareMembers(path, before, after, out);
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(path, before, after, out);
  else if (isFilled(after) && before === undefined) compareValues(path, emptyLike(after), after, out);
  else if (isFilled(before) && after === undefined) compareValues(path, before, emptyLike(before), out);
  else out.push({ path, before, after });
}

function isFilled(value: MaybeJson): value is JsonValue[] | JsonObject {
  return isContainer(value) && !isNothing(value);
}

function emptyLike(value: JsonValue[] | JsonObject): JsonValue {
  return Array.isArray(value) ? [] : {};
}

function compareMembers(
  path: DocumentDifference['path'],
  before: JsonObject,
  after: JsonObject,
  out: DocumentDifference[],
) {
  for (const key of Object.keys(after)) compareValues([...path, key], readMember(before, key), after[key], out);
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) compareValues([...path, key], before[key], undefined, out);
  }
}

function compareLists(
  path: DocumentDifference['path'],
  before: JsonValue[],
  after: JsonValue[],
  out: DocumentDifference[],
) {
  const [from, to] = [toNamedValues(before), toNamedValues(after)];
  if (from !== null && to !== null) compareMembers(path, from, to, out);
  else if (isPlainList(before) && isPlainList(after)) out.push({ path, before, after });
  else compareItems(path, before, after, out);
}

function compareItems(
  path: DocumentDifference['path'],
  before: JsonValue[],
  after: JsonValue[],
  out: DocumentDifference[],
) {
  for (const [from, to] of align(before, after)) {
    compareValues([...path, to < 0 ? from : to], before[from], after[to], out);
  }
}

function compareStatements(before: readonly string[], after: readonly string[], out: DocumentDifference[]) {
  const left = countTexts(before);
  for (const statement of after) {
    if (!take(left, statement)) out.push({ path: [], before: undefined, after: statement });
    if (out.length >= MAX_DIFFERENCES) return;
  }
  for (const statement of before) {
    if (take(left, statement)) out.push({ path: [], before: statement, after: undefined });
    if (out.length >= MAX_DIFFERENCES) return;
  }
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  if (count > 0) counts.set(text, count - 1);
  return count > 0;
}
