import { isObject } from '../lib/is-object.ts';
import type { JsonValue } from '../model/result.ts';
import { ValueIds } from './value-ids.ts';
import { isContainer, isEqual, MAX_DEPTH, type MaybeJson, readMember } from './values.ts';

/**
 * Compares the lists of one change. Caches the results for nested lists, because the comparison visits them again at
 * each level.
 */
export class ListComparison {
  private differences: Map<readonly JsonValue[], { after: readonly JsonValue[]; index: number }> | undefined;
  private ids: ValueIds | undefined;

  /** Returns the index of the first item that differs; the shorter length when none does. */
  findFirstDifference(before: readonly JsonValue[], after: readonly JsonValue[], depth = 0): number {
    const known = this.differences?.get(before);
    if (known?.after === after) return known.index;
    const shared = Math.min(before.length, after.length);
    let index = 0;
    while (index < shared && this.isEqual(before[index], after[index], depth + 1)) index++;
    if (index < shared) {
      this.differences ??= new Map();
      this.differences.set(before, { after, index });
    }
    return index;
  }

  /**
   * Returns true when both lists contain the same items, equally often, in a different order.
   *
   * @param from the index of the first item that differs
   */
  isReordered(before: readonly JsonValue[], after: readonly JsonValue[], from: number): boolean {
    if (before.length !== after.length || before.length - from < 2) return false;
    // Most changed lists contain a new item, so search for the first changed item before counting all items.
    const moved = after[from];
    if (!before.some((item, i) => i > from && isEqual(item, moved))) return false;
    return this.holdSameItems(before, after, from);
  }

  private holdSameItems(before: readonly JsonValue[], after: readonly JsonValue[], from: number): boolean {
    this.ids ??= new ValueIds();
    const counts = new Map<number, number>();
    for (let i = from; i < before.length; i++) {
      const id = this.ids.find(before[i] as JsonValue);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (let i = from; i < after.length; i++) {
      const id = this.ids.find(after[i] as JsonValue);
      const count = counts.get(id) ?? 0;
      if (count === 0) return false;
      counts.set(id, count - 1);
    }
    return true;
  }

  private isEqual(a: MaybeJson, b: MaybeJson, depth: number): boolean {
    if (a === b) return true;
    if (!isContainer(a) || !isContainer(b) || depth > MAX_DEPTH) return false;
    if (Array.isArray(a)) {
      return Array.isArray(b) && a.length === b.length && this.findFirstDifference(a, b, depth) === a.length;
    }
    if (!isObject(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && this.isEqual(readMember(a, key), b[key], depth + 1));
  }
}
