import type { Comparison } from './compare.ts';

/**
 * Most resources of a type compare alike. Those without a difference share one comparison, because a million of them would
 * otherwise take most of the memory.
 */
export class SharedComparisons {
  private readonly latest = new Map<string, Comparison>();

  share(type: string, comparison: Comparison): Comparison {
    if (comparison.sides !== null) return comparison;
    const known = this.latest.get(type);
    if (known !== undefined && isSame(known, comparison)) return known;
    this.latest.set(type, comparison);
    return comparison;
  }
}

function isSame(a: Comparison, b: Comparison): boolean {
  if (a.compared !== b.compared || a.uncompared.length !== b.uncompared.length) return false;
  return a.uncompared.every(({ reason, names }, at) => {
    const other = b.uncompared[at]!;
    return other.reason === reason && isSameList(names, other.names);
  });
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}
