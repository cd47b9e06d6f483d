import { canonicalJson } from '../canonical-json.ts';
import type { JsonValue } from '../result.ts';
import { isEqual } from './values.ts';

/** Index of the first item that differs; the shorter length when none does. */
export function findFirstDifference(before: readonly JsonValue[], after: readonly JsonValue[]): number {
  const shared = Math.min(before.length, after.length);
  let i = 0;
  while (i < shared && isEqual(before[i], after[i])) i++;
  return i;
}

/**
 * Whether both lists hold the same items, each as often, in another order.
 *
 * @param from index of the first item that differs
 */
export function isReordered(before: readonly JsonValue[], after: readonly JsonValue[], from: number): boolean {
  if (before.length !== after.length || before.length - from < 2) return false;
  // Most lists that changed hold something new: one look for its first item spares them the counting.
  const moved = after[from];
  if (!before.some((item, i) => i > from && isEqual(item, moved))) return false;
  return holdSameItems(before.slice(from), after.slice(from));
}

function holdSameItems(before: JsonValue[], after: JsonValue[]): boolean {
  const counts = new Map<string, number>();
  for (const item of before) {
    const text = canonicalJson(item);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const item of after) {
    const text = canonicalJson(item);
    const count = counts.get(text) ?? 0;
    if (count === 0) return false;
    counts.set(text, count - 1);
  }
  return true;
}
