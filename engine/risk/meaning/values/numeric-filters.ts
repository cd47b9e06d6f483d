/** Ranges of numbers in filters of events: `{"amount": [{"numeric": [">=", 100]}]}`. */
import { isObject } from '../../../lib/is-object.ts';
import type { JsonValue } from '../../../model/result.ts';

/** How the range of a property changes. */
export type RangeChange = 'turned' | 'capped' | 'narrower';

interface Range {
  low: number;
  high: number;
  /** Whether the limits belong to the range. */
  has_low: boolean;
  has_high: boolean;
}

const MAX_DEPTH = 8;
const ALL: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, has_low: true, has_high: true };

/**
 * Compares the ranges of two filters that otherwise name the same properties.
 *
 * @returns the gravest change: other numbers match, great ones match no longer, or fewer match; null if none is found
 */
export function compareRanges(before: JsonValue, after: JsonValue): RangeChange | null {
  const [from, to] = [new Map<string, Range>(), new Map<string, Range>()];
  collectRanges(before, '', MAX_DEPTH, from);
  collectRanges(after, '', MAX_DEPTH, to);
  const changes = [...to].flatMap(([path, range]) => {
    const known = from.get(path);
    return known === undefined ? [] : [compareRange(known, range)];
  });
  return (['turned', 'capped', 'narrower'] as const).find((change) => changes.includes(change)) ?? null;
}

function compareRange(from: Range, to: Range): RangeChange | null {
  if (isBelow(to, from) || isBelow(from, to)) return 'turned';
  const lifts = to.low > from.low || (to.low === from.low && from.has_low && !to.has_low);
  const caps = to.high < from.high || (to.high === from.high && from.has_high && !to.has_high);
  const extends_low = to.low < from.low || (to.low === from.low && to.has_low && !from.has_low);
  const extends_high = to.high > from.high || (to.high === from.high && to.has_high && !from.has_high);
  if (extends_low || extends_high || !(lifts || caps)) return null;
  return caps ? 'capped' : 'narrower';
}

function isBelow(one: Range, other: Range): boolean {
  return one.high < other.low || (one.high === other.low && !(one.has_high && other.has_low));
}

function collectRanges(value: JsonValue, path: string, depth: number, into: Map<string, Range>): void {
  if (depth === 0) return;
  if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) collectRanges(inner, `${path}/${name}`, depth - 1, into);
  } else if (Array.isArray(value) && value.length === 1 && isObject(value[0]!)) {
    const range = readRange(value[0]!['numeric']);
    if (range !== null) into.set(path, range);
  }
}

function readRange(test: JsonValue | undefined): Range | null {
  if (!Array.isArray(test)) return null;
  const range = { ...ALL };
  for (let at = 0; at + 1 < test.length; at += 2) {
    const [operator, limit] = [test[at], test[at + 1]];
    if (typeof operator !== 'string' || typeof limit !== 'number') return null;
    if (operator !== '<' && operator !== '<=') Object.assign(range, { low: limit, has_low: operator !== '>' });
    if (operator !== '>' && operator !== '>=') Object.assign(range, { high: limit, has_high: operator !== '<' });
  }
  return range;
}
