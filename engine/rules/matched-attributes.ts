import { marksWhole, maskAt } from '../changes/overlay.ts';
import type { ResourceChange } from '../changes/types.ts';
import { holdsMark, isContainer, type MaybeJson, readMember } from '../changes/values.ts';
import type { Mask } from '../plan/types.ts';
import { isPattern, matchesPart, type Parts } from './globs.ts';

type Segment = string | number;

/** One attribute of a change, with both values and their marks. */
export interface MatchedAttribute {
  readonly segments: readonly Segment[];
  readonly before: MaybeJson;
  readonly after: MaybeJson;
  readonly unknown: Mask;
  readonly before_sensitive: Mask;
  readonly after_sensitive: Mask;
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/**
 * The attributes of a change that a path matches. A path without wildcards matches exactly one, even if it is absent. A
 * fully sensitive value is matched as a whole, so that rules cannot learn its keys.
 */
export function matchAttributes(change: ResourceChange, path: Parts): MatchedAttribute[] {
  const { before, after, unknown, before_sensitive, after_sensitive } = change;
  const root = { segments: [], before: toUndefined(before), after: toUndefined(after) };
  const found: MatchedAttribute[] = [];
  visit({ ...root, unknown, before_sensitive, after_sensitive }, path, 0, found);
  return found;
}

function toUndefined<T>(value: T | null): T | undefined {
  return value ?? undefined;
}

function visit(attribute: MatchedAttribute, path: Parts, depth: number, found: MatchedAttribute[]): void {
  const part = path[depth];
  if (part === undefined || isSensitive(attribute)) {
    found.push(attribute);
  } else if (!isPattern(part)) {
    visit(step(attribute, part), path, depth + 1, found);
  } else {
    const keys = collectKeys(attribute);
    if (keys.length === 0 && isUnknown(attribute)) found.push(attribute);
    for (const key of keys) {
      if (!matchesPart(part, key)) continue;
      const next = step(attribute, key);
      if (hasValue(next)) visit(next, path, depth + 1, found);
    }
  }
}

/** Whether the value is marked sensitive as a whole. */
function isSensitive({ before, after, before_sensitive, after_sensitive }: MatchedAttribute): boolean {
  return marksWhole(before_sensitive, before) || marksWhole(after_sensitive, after);
}

/** Whether the whole new value is unknown. */
export function isUnknown({ after, unknown }: MatchedAttribute): boolean {
  return unknown === true || (!isContainer(after) && holdsMark(unknown));
}

function hasValue({ before, after, unknown }: MatchedAttribute): boolean {
  return before !== undefined || after !== undefined || unknown !== undefined;
}

function step(attribute: MatchedAttribute, key: string): MatchedAttribute {
  const { before, after, unknown } = attribute;
  const inList = Array.isArray(before) || Array.isArray(after) || Array.isArray(unknown);
  const segment = inList && INDEX.test(key) ? Number(key) : key;
  return {
    segments: [...attribute.segments, segment],
    before: readChild(before, segment),
    after: readChild(after, segment),
    unknown: unknown === true ? true : maskAt(unknown, segment),
    before_sensitive: maskAt(attribute.before_sensitive, segment),
    after_sensitive: maskAt(attribute.after_sensitive, segment),
  };
}

function readChild(value: MaybeJson, segment: Segment): MaybeJson {
  if (!isContainer(value)) return undefined;
  if (!Array.isArray(value)) return readMember(value, String(segment));
  return typeof segment === 'number' ? value[segment] : undefined;
}

/** Keys of the new value first, then additional keys of the old value and the marks. */
function collectKeys({ before, after, unknown }: MatchedAttribute): string[] {
  const keys = isContainer(after) ? Object.keys(after) : [];
  for (const [side, earlier] of [
    [before, [after]],
    [unknown, [after, before]],
  ] as const) {
    if (!isContainer(side) || side === after) continue;
    for (const key of Object.keys(side))
      if (!earlier.some((one) => isContainer(one) && Object.hasOwn(one, key))) keys.push(key);
  }
  return keys;
}
