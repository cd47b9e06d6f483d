/** Counts what was compared, and names what was not. */
import type { Comparison } from './compare.ts';
import type { Compared, DriftReport, Uncompared, UncomparedCounts } from './types.ts';

const MAX_RESOURCES = 1_000;
const MAX_NAMES = 20;
/** These attributes cannot be compared by anybody, so only their number is reported. */
const UNNAMED: ReadonlySet<Uncompared> = new Set(['computed', 'provider_only']);

export class ComparisonTotals {
  private compared = 0;
  private readonly uncompared: UncomparedCounts = {};
  private readonly existence = new Map<string, number>();
  private readonly resources: Compared[] = [];

  add(address: string, type: string, comparison: Comparison): void {
    const { compared, uncompared } = comparison;
    this.compared += compared;
    if (compared === 0) this.existence.set(type, (this.existence.get(type) ?? 0) + 1);
    for (const { reason, names } of uncompared) this.uncompared[reason] = (this.uncompared[reason] ?? 0) + names.length;
    if (!uncompared.every(({ reason }) => UNNAMED.has(reason)))
      this.resources.push(describe(address, type, comparison));
    if (this.resources.length >= 2 * MAX_RESOURCES) this.cut();
  }

  result(): DriftReport['comparison'] {
    this.cut();
    const types = [...this.existence].map(([type, count]) => ({ type, count }));
    return {
      compared: this.compared,
      uncompared: this.uncompared,
      by_existence_only: types.sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
      resources: this.resources,
    };
  }

  private cut(): void {
    this.resources.sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));
    this.resources.length = Math.min(this.resources.length, MAX_RESOURCES);
  }
}

function describe(address: string, type: string, { compared, uncompared }: Comparison): Compared {
  const counts: UncomparedCounts = {};
  const named: Compared['names'] = {};
  for (const { reason, names } of uncompared) {
    counts[reason] = names.length;
    if (!UNNAMED.has(reason)) named[reason] = [...names].sort().slice(0, MAX_NAMES);
  }
  return { address, type, compared, uncompared: counts, names: named };
}
