import { align } from '../../changes/align.ts';
import { isObject } from '../../lib/is-object.ts';
import type { Mask } from '../../plan/types.ts';
import type { Path, Value } from './types.ts';
import { member, parseJson } from './values.ts';

/** The two sides of one path in a resource. `unknown` means that the new value is unknown until apply. */
export interface Pair {
  path: Path;
  before: Value;
  after: Value;
  unknown: boolean;
  /** The list entry around it that comes or goes as a whole. */
  lone?: { depth: number; is_only: boolean };
}

/**
 * Returns both sides of every path that matches a pattern. List elements are matched by a natural key, or else by
 * equality and then by order, so a reordered list yields equal sides.
 *
 * @param pattern segments; `*` matches any list index or map key, and is skipped when a block is a single object; `{}`
 *   leads into a JSON text
 */
export function pairsAt(pattern: readonly string[], before: Value, after: Value, unknown: Mask): Pair[] {
  const walk: Walk = { pattern, path: [], out: [] };
  step(walk, 0, { before, after, lone: undefined }, unknown);
  return walk.out;
}

interface Walk {
  readonly pattern: readonly string[];
  /** The path of the step; copied for each pair. */
  readonly path: (string | number)[];
  readonly out: Pair[];
}

interface Sides {
  readonly before: Value;
  readonly after: Value;
  readonly lone: Pair['lone'] | undefined;
}

function step(walk: Walk, index: number, here: Sides, mask: Mask): void {
  const { pattern } = walk;
  if (mask === true || index === pattern.length) {
    const { before, after, lone } = here;
    const pair = { path: walk.path.slice(), before, after, unknown: mask === true };
    walk.out.push(lone === undefined ? pair : { ...pair, lone });
    return;
  }
  const segment = pattern[index]!;
  if (segment === '{}') {
    const inner = { before: readText(here.before), after: readText(here.after), lone: here.lone };
    const is_read = inner.before !== null && inner.after !== null;
    if (is_read && (mask === false || mask === undefined)) step(walk, index + 1, inner, false);
  } else if (segment !== '*') {
    stepInto(walk, index, segment, here, mask);
  } else if (Array.isArray(here.before) || Array.isArray(here.after) || Array.isArray(mask)) {
    stepList(walk, index, here, mask);
  } else if (index + 1 < pattern.length) {
    step(walk, index + 1, here, mask);
  } else {
    const keys = new Set([...collectKeys(here.before), ...collectKeys(here.after), ...collectKeys(mask)]);
    for (const key of keys) stepInto(walk, index, key, here, mask);
  }
}

function stepInto(walk: Walk, index: number, key: string, here: Sides, mask: Mask): void {
  const before = member(here.before, key);
  const after = member(here.after, key);
  const below = member(mask, key);
  if (before === undefined && after === undefined && below !== true && !isObject(below) && !Array.isArray(below))
    return;
  stepTo(walk, index, key, { before, after, lone: here.lone }, below);
}

function stepList(walk: Walk, index: number, here: Sides, mask: Mask): void {
  const before = Array.isArray(here.before) ? here.before : [];
  const after = Array.isArray(here.after) ? here.after : [];
  const masks = Array.isArray(mask) ? mask : [];
  for (const [b, a] of align(before, after)) {
    const is_lone = (a < 0 || b < 0) && here.lone === undefined;
    const lone = is_lone ? { depth: walk.path.length + 1, is_only: before.length + after.length === 1 } : here.lone;
    stepTo(walk, index, a < 0 ? b : a, { before: before[b], after: after[a], lone }, a < 0 ? false : masks[a]);
  }
  for (let i = after.length; i < masks.length; i++) {
    stepTo(walk, index, i, { before: undefined, after: undefined, lone: here.lone }, masks[i]);
  }
}

function stepTo(walk: Walk, index: number, segment: string | number, sides: Sides, mask: Mask): void {
  walk.path.push(segment);
  step(walk, index + 1, sides, mask);
  walk.path.pop();
}

/** Longer texts are not read. */
const MAX_CHARS = 100_000;

/** @returns null for a text that cannot be read */
function readText(value: Value): Value {
  return typeof value !== 'string' || value === '' ? undefined : (parseJson(value, MAX_CHARS) ?? null);
}

function collectKeys(value: Mask): string[] {
  return isObject(value) ? Object.keys(value) : [];
}
