import { align } from '../../changes/align.ts';
import { isObject } from '../../lib/is-object.ts';
import type { Mask } from '../../plan/types.ts';
import type { Path, Value } from './types.ts';
import { member } from './values.ts';

/** The two sides of one path in a resource. `unknown` means that the new value is unknown until apply. */
export interface Pair {
  path: Path;
  before: Value;
  after: Value;
  unknown: boolean;
}

/**
 * Returns both sides of every path that matches a pattern. List elements are matched by a natural key, or else by
 * equality and then by order, so a reordered list yields equal sides.
 *
 * @param pattern segments; `*` matches any list index or map key, and is skipped when a block is a single object
 */
export function pairsAt(pattern: readonly string[], before: Value, after: Value, unknown: Mask): Pair[] {
  const out: Pair[] = [];
  step(pattern, 0, { path: [], before, after, unknown: false }, unknown, out);
  return out;
}

function step(pattern: readonly string[], index: number, here: Pair, mask: Mask, out: Pair[]): void {
  if (mask === true || index === pattern.length) {
    out.push(mask === true ? { ...here, unknown: true } : here);
    return;
  }
  const segment = pattern[index]!;
  if (segment !== '*') {
    stepInto(pattern, index, segment, here, mask, out);
  } else if (Array.isArray(here.before) || Array.isArray(here.after) || Array.isArray(mask)) {
    stepList(pattern, index, here, mask, out);
  } else if (index + 1 < pattern.length) {
    step(pattern, index + 1, here, mask, out);
  } else {
    const keys = new Set([...collectKeys(here.before), ...collectKeys(here.after), ...collectKeys(mask)]);
    for (const key of keys) stepInto(pattern, index, key, here, mask, out);
  }
}

function stepInto(pattern: readonly string[], index: number, key: string, here: Pair, mask: Mask, out: Pair[]): void {
  const before = member(here.before, key);
  const after = member(here.after, key);
  const below = member(mask, key);
  if (before === undefined && after === undefined && below !== true && !isObject(below) && !Array.isArray(below))
    return;
  step(pattern, index + 1, { path: [...here.path, key], before, after, unknown: false }, below, out);
}

function stepList(pattern: readonly string[], index: number, here: Pair, mask: Mask, out: Pair[]): void {
  const before = Array.isArray(here.before) ? here.before : [];
  const after = Array.isArray(here.after) ? here.after : [];
  const masks = Array.isArray(mask) ? mask : [];
  for (const [b, a] of align(before, after)) {
    const path = [...here.path, a < 0 ? b : a];
    const element = { path, before: before[b], after: after[a], unknown: false };
    step(pattern, index + 1, element, a < 0 ? false : masks[a], out);
  }
  for (let i = after.length; i < masks.length; i++) {
    step(
      pattern,
      index + 1,
      { path: [...here.path, i], before: undefined, after: undefined, unknown: false },
      masks[i],
      out,
    );
  }
}

function collectKeys(value: Mask): string[] {
  return isObject(value) ? Object.keys(value) : [];
}
