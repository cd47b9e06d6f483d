import type { AttributeDiff, JsonValue, Reason } from '../result.ts';

/** openapi.yaml, AttributeDiff.truncated */
const MAX_STRING = 1024;
/** openapi.yaml, Change.attributes */
const MAX_ATTRIBUTES = 200;

/**
 * The diffs to show of a change: what bears on security first (it has a direction, a reason names it, or it forces the
 * replacement), then the rest, both in their own order.
 */
export function chooseDiffs(diffs: AttributeDiff[], reasons: readonly Reason[]): AttributeDiff[] {
  if (diffs.length < 2) return diffs;
  const first: AttributeDiff[] = [];
  const rest: AttributeDiff[] = [];
  for (const diff of diffs) {
    const relevant = diff.direction !== 'neutral' || diff.forces_replacement || isNamed(diff, reasons);
    const list = relevant ? first : rest;
    if (list.length < MAX_ATTRIBUTES) list.push(diff);
  }
  return first.concat(rest).slice(0, MAX_ATTRIBUTES);
}

function isNamed({ path }: AttributeDiff, reasons: readonly Reason[]): boolean {
  for (const reason of reasons) if (reason.path === path) return true;
  return false;
}

/** The diff with every string cut at 1,024 characters; the same object when none was longer. */
export function shortenDiff(diff: AttributeDiff): AttributeDiff {
  const before = shortenValue(diff.before);
  const after = shortenValue(diff.after);
  return before === diff.before && after === diff.after ? diff : { ...diff, before, after, truncated: true };
}

/** @returns the same value when no string in it was longer */
export function shortenValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return shortenText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map(shortenValue);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, member]) => [key, shortenValue(member)] as const);
  return entries.some(([key, member]) => member !== value[key]) ? Object.fromEntries(entries) : value;
}

/** Cut at 1,024 characters, and never through a surrogate pair. */
function shortenText(text: string): string {
  if (text.length <= MAX_STRING) return text;
  const last = text.charCodeAt(MAX_STRING - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_STRING - 1 : MAX_STRING);
}
