import { listPathNames } from '../changes/path.ts';
import type { AttributeDiff, Change, InsideDiff, JsonValue } from '../model/result.ts';
import { cutMiddle } from './data-text.ts';
import { hasPlainNames, nameFreedom } from './free-names.ts';
import { outlineSides } from './outlines.ts';
import {
  findLastName,
  isMarked,
  isSecretPath,
  type Leaf,
  pickSafeLeaf,
  pickSafeSide,
  pickSafeSides,
} from './safe-values.ts';
import { listTextParts } from './text-parts.ts';
import type { ShownValue } from './types.ts';

const MAX_VALUES = 16;
const MAX_PATH = 120;

/** A value that was shown to the model, and both sides as the result has them. */
export interface KnownValue {
  shown: ShownValue;
  before: JsonValue;
  after: JsonValue;
  /** The values are proven to mean the same. */
  is_same: boolean;
}

export function shortPath(path: string): string {
  return cutMiddle(path, MAX_PATH);
}

/**
 * The changed values that a model may see, at most 16: first those with both sides, then those inside documents, then
 * those of which one side is withheld.
 */
export function pickValues({ attributes, type }: Change): KnownValue[] {
  const whole: KnownValue[] = [];
  const inside: KnownValue[] = [];
  const partial: KnownValue[] = [];
  for (const diff of attributes) {
    if (whole.length >= MAX_VALUES) break;
    if (diff.path === '' || isMarked(diff)) continue;
    const sides = pickSafeSides(diff, type);
    const path = shortPath(diff.path);
    if (sides !== null) whole.push(toKnown({ path, ...sides, ...toUnknownFlag(diff) }, diff));
    else if (diff.inside !== undefined) inside.push(...pickInside(diff, diff.inside, type));
    else if (!diff.truncated) {
      partial.push(...(pickLeaf(diff, type) ?? []).map((shown) => toKnown({ path, ...shown }, diff)));
    }
  }
  return [...whole, ...inside, ...partial].slice(0, MAX_VALUES);
}

function toKnown(
  shown: ShownValue,
  { before, after, same }: Pick<AttributeDiff, 'before' | 'after' | 'same'>,
): KnownValue {
  return { shown, before, after, is_same: same !== undefined };
}

function toUnknownFlag({ after_unknown }: AttributeDiff): { unknown?: true } {
  return after_unknown ? { unknown: true } : {};
}

/** Names inside a document say whether a value is free; the name of the attribute, such as `values`, does not. */
function pickInside({ path }: AttributeDiff, inside: readonly InsideDiff[], type: string): KnownValue[] {
  return inside.flatMap(({ path: inner, before, after }) => {
    if (inner === '') return [];
    const leaf: Leaf = { path_segments: listPathNames(inner), before, after, after_unknown: false };
    const shown = pickLeaf(leaf, type) ?? describeWithheld(leaf, type);
    return shown.map((sides) => toKnown({ path: joinPath(path, inner), ...sides }, leaf));
  });
}

/** Paths inside documents, without names that no program would write. */
export function listInsidePaths({ path, inside = [] }: AttributeDiff): string[] {
  const plain = inside.filter((one) => one.path !== '' && hasPlainNames(listPathNames(one.path)));
  return plain.map((one) => joinPath(path, one.path));
}

function joinPath(path: string, inner: string): string {
  return shortPath(inner.startsWith('[') ? `${path}${inner}` : `${path}.${inner}`);
}

type Sides = Omit<ShownValue, 'path'>;

/** @returns null if neither side is harmless */
function pickLeaf(leaf: Leaf, type: string): Sides[] | null {
  const side = pickSafeLeaf(leaf, type) ?? pickSafeSide(leaf, type);
  if (side !== null) return [side];
  const { before, after, path_segments, after_unknown } = leaf;
  if (typeof before !== 'string' || typeof after !== 'string' || after_unknown) return null;
  if (isSecretPath(path_segments, type)) return null;
  const name = findLastName(path_segments);
  const parts = listTextParts(before, after, name);
  if (parts.length > 0) return parts.map((part) => ({ ...part, shows: 'parts' }));
  const outlines = outlineSides(before, after, name);
  return outlines === null ? null : [{ ...outlines, shows: 'outline' }];
}

/** That a value changes which may not be sent. */
function describeWithheld({ path_segments }: Leaf, type: string): Sides[] {
  if (nameFreedom(path_segments) !== null || isSecretPath(path_segments, type)) return [];
  return [{ before: null, after: null, withheld: 'both' }];
}
