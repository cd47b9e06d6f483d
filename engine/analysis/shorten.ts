import { Leaf, withValues } from '../changes/path-node.ts';
import { cutText } from '../lib/trim.ts';
import type { AttributeDiff, JsonValue, Reason } from '../model/result.ts';

/** openapi.yaml, AttributeDiff.truncated */
const MAX_STRING = 1024;
const MAX_ITEMS = 1000;
/** openapi.yaml, Change.attributes */
const MAX_ATTRIBUTES = 200;

/**
 * Selects the diffs of a change to list: security-relevant ones first (with a direction, named by a reason, or forcing
 * the replacement), then the rest, each in original order.
 */
export function chooseDiffs(diffs: AttributeDiff[], reasons: readonly Reason[]): AttributeDiff[] {
  if (diffs.length < 2) return diffs;
  const first: AttributeDiff[] = [];
  const rest: AttributeDiff[] = [];
  const isNamed = createNameTest(reasons);
  for (const diff of diffs) {
    const relevant = diff.direction !== 'neutral' || diff.forces_replacement || isNamed(diff);
    const list = relevant ? first : rest;
    if (list.length < MAX_ATTRIBUTES) list.push(diff);
    else if (relevant) break;
  }
  return first.concat(rest).slice(0, MAX_ATTRIBUTES);
}

/** Tests whether a reason names the path of a diff; compares only paths of the same length. */
function createNameTest(reasons: readonly Reason[]): (diff: AttributeDiff) => boolean {
  const named = new Map<number, Set<string>>();
  for (const { path } of reasons) {
    if (path === null) continue;
    const paths = named.get(path.length);
    if (paths === undefined) named.set(path.length, new Set([path]));
    else paths.add(path);
  }
  if (named.size === 0) return () => false;
  return (diff) => {
    if (!(diff instanceof Leaf)) return named.get(diff.path.length)?.has(diff.path) === true;
    for (const path of named.get(diff.node.length) ?? []) if (diff.node.matchesPath(path)) return true;
    return false;
  };
}

/**
 * Texts over `HUGE` are cut to `SEARCHED` characters before redaction. Only the first 1,024 characters are shown, and a
 * secret that starts there is still found.
 */
const HUGE = 1_048_576;
const SEARCHED = 65_536;

/** Cuts texts over 1 MiB and lists over 1,000 items. */
export function cutHuge(diff: AttributeDiff): AttributeDiff {
  const before = cutList(diff.before);
  const after = cutList(diff.after);
  const is_cut = before !== diff.before || after !== diff.after;
  return shortenDiff(is_cut ? withValues(diff, { before, after, truncated: true }) : diff, HUGE, SEARCHED);
}

function cutList(value: JsonValue): JsonValue {
  return Array.isArray(value) && value.length > MAX_ITEMS ? value.slice(0, MAX_ITEMS) : value;
}

/** Cuts every string at 1,024 characters; returns the same object if none is longer. */
export function shortenDiff(diff: AttributeDiff, longest = MAX_STRING, rest = MAX_STRING): AttributeDiff {
  const before = shortenValue(diff.before, longest, rest);
  const after = shortenValue(diff.after, longest, rest);
  return before === diff.before && after === diff.after ? diff : withValues(diff, { before, after, truncated: true });
}

/**
 * @param longest maximum length of strings that are kept
 * @param rest length to which longer strings are cut
 * @returns the same value if no string is longer
 */
export function shortenValue(value: JsonValue, longest = MAX_STRING, rest = MAX_STRING): JsonValue {
  if (typeof value === 'string') return value.length <= longest ? value : cutText(value, rest);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => shortenValue(item, longest, rest));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, member]) => [key, shortenValue(member, longest, rest)] as const);
  return entries.some(([key, member]) => member !== value[key]) ? Object.fromEntries(entries) : value;
}
