/** Indexes for sets of openings, which avoid comparing each opening with every other one. */

import { blockKey, type Cidr, CidrSet, contains } from '../../../lib/cidr.ts';
import type { StepBudget } from '../step-budget.ts';
import type { Opening, Range } from './openings.ts';
import { isManagementPort, MANAGEMENT_PORTS } from './ports.ts';

/** One more than messages show. */
const GAPS_SHOWN = 4;
const NO_RANGES: readonly Range[] = [];

export class Coverage {
  private readonly keys: ReadonlySet<string>;
  /** Sorted ranges that neither overlap nor adjoin, by source and protocol. */
  private readonly ranges = new Map<string, readonly Range[]>();
  private readonly sources = new CidrSet();
  private readonly steps: StepBudget;

  constructor(openings: readonly Opening[], steps: StepBudget) {
    this.steps = steps;
    this.keys = new Set(openings.map(toOpeningKey));
    const groups = new Map<string, Range[]>();
    for (const { protocol, source, label, from, to, estimated } of openings) {
      if (estimated) continue;
      if (source !== null) this.sources.add(source);
      const key = `${protocol} ${source === null ? label : blockKey(source)}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [[from, to]]);
      else group.push([from, to]);
    }
    for (const [key, group] of groups) this.ranges.set(key, mergeRanges(group));
  }

  /**
   * Returns the port ranges of an opening that the set does not allow from the same source: the first few, and any that
   * contains a management port. Returns the whole opening when the step budget is exhausted.
   */
  findGaps(opening: Opening): Range[] {
    if (this.keys.has(toOpeningKey(opening))) return [];
    const whole: Range = [opening.from, opening.to];
    if (opening.estimated) return [whole];
    const covers = this.findCovers(opening);
    const gaps: Range[] = [];
    for (let at = opening.from; at <= opening.to && gaps.length < GAPS_SHOWN; ) {
      if (!this.steps.take(covers.length + 1)) return [whole];
      const end = lastCovered(covers, at);
      if (end === undefined) gaps.push([at, Math.min(nextStart(covers, at) - 1, opening.to)]);
      at = (end ?? gaps.at(-1)![1]) + 1;
    }
    if (gaps.length < GAPS_SHOWN || gaps.some(holdsManagementPort)) return gaps;
    const open = MANAGEMENT_PORTS.find(
      (port) => port > gaps.at(-1)![1] && port <= opening.to && lastCovered(covers, port) === undefined,
    );
    return open === undefined ? gaps : [...gaps, [open, open]];
  }

  /** Returns the ranges of every source that contains the opening's source, for its protocol and for all protocols. */
  private findCovers({ protocol, source, label }: Opening): (readonly Range[])[] {
    const names = source === null ? [label] : this.sources.findContaining(source);
    const protocols = protocol === 'all' ? ['all'] : ['all', protocol];
    const found = names.flatMap((name) => protocols.map((one) => this.ranges.get(`${one} ${name}`) ?? NO_RANGES));
    return found.filter((ranges) => ranges.length > 0);
  }
}

function holdsManagementPort([from, to]: Range): boolean {
  return MANAGEMENT_PORTS.some((port) => from <= port && port <= to) || (from === to && isManagementPort(from));
}

/** Returns the highest end of the ranges that contain a port; undefined when none does. */
function lastCovered(covers: readonly (readonly Range[])[], port: number): number | undefined {
  let end: number | undefined;
  for (const ranges of covers) {
    const range = ranges[indexAt(ranges, port)];
    if (range !== undefined && range[1] >= port && (end === undefined || range[1] > end)) end = range[1];
  }
  return end;
}

/** Returns the first port after the given one at which a range begins; infinity when none does. */
function nextStart(covers: readonly (readonly Range[])[], port: number): number {
  let start = Number.POSITIVE_INFINITY;
  for (const ranges of covers) start = Math.min(start, ranges[indexAt(ranges, port) + 1]?.[0] ?? start);
  return start;
}

/** Returns the index of the last range that begins at or before a port; -1 when none does. */
function indexAt(ranges: readonly Range[], port: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![0] <= port) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the same ports as sorted ranges that neither overlap nor adjoin. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function toOpeningKey({ protocol, from, to, label }: Opening): string {
  return `${protocol} ${from} ${to} ${label}`;
}

/** Openings sorted by source address. */
export class SourceRanges {
  private readonly sorted = new Map<number, (Opening & { source: Cidr })[]>();
  private readonly steps: StepBudget;

  constructor(openings: readonly Opening[], steps: StepBudget) {
    this.steps = steps;
    for (const opening of openings) {
      if (!hasSource(opening)) continue;
      const known = this.sorted.get(opening.source.family);
      if (known === undefined) this.sorted.set(opening.source.family, [opening]);
      else known.push(opening);
    }
    for (const list of this.sorted.values()) list.sort((a, b) => compareAddresses(a.source, b.source));
  }

  /**
   * Returns the first opening within the addresses of another one that `accepts` returns true for; null when the step
   * budget is exhausted.
   */
  findWithin(outer: Opening, accepts: (outer: Opening, inner: Opening) => boolean): Opening | null | undefined {
    const { source } = outer;
    const list = source === null ? undefined : this.sorted.get(source.family);
    if (source === null || list === undefined) return undefined;
    for (let i = firstAtOrBehind(list, source.address); i < list.length; i++) {
      const inner = list[i]!;
      if (!contains(source, { ...inner.source, prefix: Math.max(inner.source.prefix, source.prefix) }))
        return undefined;
      if (!this.steps.take()) return null;
      if (accepts(outer, inner)) return inner;
    }
    return undefined;
  }
}

function hasSource(opening: Opening): opening is Opening & { source: Cidr } {
  return opening.source !== null;
}

function compareAddresses(a: Cidr, b: Cidr): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}

function firstAtOrBehind(list: readonly { source: Cidr }[], address: bigint): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.source.address < address) low = middle + 1;
    else high = middle;
  }
  return low;
}
