/** What a set of openings lets through, put in order once, so that none of them is compared with each of the others. */

import type { StepBudget } from '../step-budget.ts';
import { blockKey, type Cidr, CidrSet, contains } from './cidr.ts';
import type { Opening, Range } from './openings.ts';
import { isManagementPort, MANAGEMENT_PORTS } from './ports.ts';

/** As many as messages show, and one more. */
const GAPS_SHOWN = 4;
const NO_RANGES: readonly Range[] = [];

export class Coverage {
  private readonly keys: ReadonlySet<string>;
  /** Sorted ranges that neither meet nor touch, by source and protocol. */
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
   * The port ranges of an opening that the set does not let through from the same source: the first few of them, and any
   * that holds a port of management. All of the opening where that cannot be told within the steps.
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

  /** The ranges of every source that holds the one of an opening, of its protocol and of all protocols. */
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

/** The end of the furthest range that holds a port; undefined where none does. */
function lastCovered(covers: readonly (readonly Range[])[], port: number): number | undefined {
  let end: number | undefined;
  for (const ranges of covers) {
    const range = ranges[indexAt(ranges, port)];
    if (range !== undefined && range[1] >= port && (end === undefined || range[1] > end)) end = range[1];
  }
  return end;
}

/** The first port behind a place at which a range begins; infinity where none does. */
function nextStart(covers: readonly (readonly Range[])[], port: number): number {
  let start = Number.POSITIVE_INFINITY;
  for (const ranges of covers) start = Math.min(start, ranges[indexAt(ranges, port) + 1]?.[0] ?? start);
  return start;
}

/** Index of the last range that begins at or before a port; -1 where none does. */
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

/** The same ports in ranges that neither meet nor touch, in order. */
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

/** Openings in the order of the addresses they let in. */
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
   * The first opening from within the addresses of another that a test accepts; null where there are more than the steps
   * allow to look at.
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
