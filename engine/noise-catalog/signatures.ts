import { readLocation } from '../canonical/resource-location.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isSameDocument } from '../equivalence/same-document.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { sameJson } from '../lib/json-text.ts';
import type { AttributeDiff, JsonObject, JsonValue } from '../model/result.ts';
import { compareBy } from './forms.ts';
import { isRefreshed, wasReadAgain } from './refreshed.ts';
import { namesInstruction } from './stamp-names.ts';
import { isLaterTime, readTime } from './stamp-values.ts';
import { exposesOwnTags, hasActiveLabels, isRenewedStamp } from './stamps.ts';
import type { RuleContext, Signature } from './types.ts';

/** Whether a changed leaf with raw values matches a rule. */
export type Matcher = (diff: AttributeDiff, change: ResourceChange, context: RuleContext) => boolean;

/** Compiled once per rule, when a plan first contains a type of the rule. */
export function compileSignature(signature: Signature): Matcher {
  const matches = compileValues(signature);
  const { where } = signature;
  if (where === undefined) return matches;
  const expected = Object.entries(where);
  return (diff, change, context) =>
    matches(diff, change, context) &&
    expected.every(([name, value]) => readSibling(change.after, diff, name) === value);
}

/**
 * Signatures that never weaken a protection: the values are equivalent, a disabled setting is written or omitted, an
 * autoscaler changes the value within its limits, or nothing reads the value.
 */
const HOLDS_EVERYWHERE: ReadonlySet<Signature['is']> = new Set([
  'reorder',
  'same',
  'alias',
  'json',
  'policy',
  'hollow',
  'scaled',
  'stamp',
]);

/** Signatures of records. A record that is renewed cannot be the reason why another attribute becomes unknown. */
const RECORDS: ReadonlySet<Signature['is']> = new Set(['moment', 'stamp', 'refreshed', 'recorded', 'reread']);

/** Whether a rule recognizes records of a run or of a read, which cause no other change. */
export function isRecord({ is }: Signature): boolean {
  return RECORDS.has(is);
}

/** Whether a rule also applies on paths that risk rules watch. */
export function holdsOnWatched(signature: Signature): boolean {
  return HOLDS_EVERYWHERE.has(signature.is) || (signature.is === 'foreign_key' && signature.own === true);
}

function compileValues(signature: Signature): Matcher {
  switch (signature.is) {
    case 'reorder':
      return ({ op }) => op === 'reorder';
    case 'same':
      return compileSame(compareBy(signature.form));
    case 'alias':
      return onValues((a, b) => signature.groups.some((group) => group.includes(a) && group.includes(b)));
    case 'json':
      return onTexts((a, b) => sameJson(a, b, (value) => plainDocument(value, signature)));
    case 'policy':
      return onTexts((a, b) => isSameDocument(a, b, { kind: 'policy' }));
    case 'hollow':
      return onValues((a, b) => (a === null && isHollow(b, signature)) || (b === null && isHollow(a, signature)));
    case 'unset':
      return compileUnset(signature);
    case 'step':
      return onValues((a, b) => signature.pairs.some(([from, to]) => from === a && to === b));
    case 'recomputed':
      return ({ after_unknown, before }) => after_unknown && before !== null;
    case 'foreign_key':
      return compileForeignKey(whole(signature.keys));
    case 'merged':
      return (diff, change) => isMerged(diff, change, signature.into);
    case 'scaled':
      return compileScaled(signature);
    case 'moment':
      return isUnreadTime;
    case 'stamp':
      return isUnreadStamp;
    case 'refreshed':
      return (diff, change, context) =>
        isRefreshed(diff, change.type, signature.as) && !context.isArgument(change, diff);
    case 'recorded':
      return (diff, change, context) =>
        (signature.as === undefined ? !diff.after_unknown : isRefreshed(diff, change.type, signature.as)) &&
        context.isComputed(change, diff);
    case 'reread':
      return (diff, change, context) =>
        diff.after_unknown && diff.before !== null && !context.isArgument(change, diff) && wasReadAgain(change);
    case 'becomes': {
      const [from, to] = [whole(signature.from), whole(signature.to)];
      return onTexts((a, b) => from.test(a) && to.test(b));
    }
  }
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

function onValues(test: (before: JsonValue, after: JsonValue) => boolean): Matcher {
  return (diff) => !diff.after_unknown && test(diff.before, diff.after);
}

function onTexts(test: (before: string, after: string) => boolean): Matcher {
  return onValues((before, after) => typeof before === 'string' && typeof after === 'string' && test(before, after));
}

function compileSame(is_same: ReturnType<typeof compareBy>): Matcher {
  return ({ before, after, after_unknown }, change) => {
    if (after_unknown || typeof before !== 'string' || typeof after !== 'string') return false;
    return is_same(before, after, readLocation(change.after));
  };
}

function isHollow(value: JsonValue, signature: { values?: JsonValue[] }): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (typeof value === 'object') return Object.values(value).every((member) => isHollow(member, signature));
  return signature.values?.includes(value) ?? false;
}

function compileUnset({ values = [], text }: { values?: JsonValue[]; text?: string }): Matcher {
  const pattern = text === undefined ? null : whole(text);
  return onValues((before, after) => {
    if (after !== null && after !== '' && after !== 0) return false;
    if (values.length === 0 && pattern === null) return before !== null;
    return values.includes(before) || (typeof before === 'string' && pattern?.test(before) === true);
  });
}

function compileForeignKey(keys: RegExp): Matcher {
  return ({ path_segments, before, after, after_unknown }) => {
    const key = path_segments.at(-1);
    return !after_unknown && before !== null && after === null && typeof key === 'string' && keys.test(key);
  };
}

function compileScaled({ min, max }: { min: string; max: string }): Matcher {
  return (diff, change) => {
    if (diff.after_unknown || typeof diff.before !== 'number' || typeof diff.after !== 'number') return false;
    const low = readSibling(change.after, diff, min);
    const high = readSibling(change.after, diff, max);
    if (typeof low !== 'number' || typeof high !== 'number') return false;
    return diff.after > 0 && [diff.before, diff.after].every((count) => low <= count && count <= high);
  };
}

/** The rest of the plan is asked last, because the answer is known only at its end. */
function isUnreadTime(diff: AttributeDiff, change: ResourceChange, { isRead }: RuleContext): boolean {
  const { before, after, after_unknown, path_segments } = diff;
  if (after_unknown ? readTime(before) === null : !isLaterTime(before, after)) return false;
  return !namesInstruction(String(path_segments.at(-1))) && !exposesOwnTags(change) && !isRead(change, diff);
}

function isUnreadStamp(diff: AttributeDiff, change: ResourceChange, { isRead }: RuleContext): boolean {
  if (!isRenewedStamp(diff) || hasActiveLabels(change.type, diff)) return false;
  return !exposesOwnTags(change) && !isRead(change, diff);
}

/** The value of the sibling attribute `name`, or of the top-level attribute. */
function readSibling(side: JsonObject | null, diff: AttributeDiff, name: string): JsonValue | undefined {
  let parent: JsonValue | undefined = side;
  for (const segment of diff.path_segments.slice(0, -1)) parent = readMember(parent, segment);
  return readMember(parent, name) ?? readMember(side, name);
}

function readMember(value: JsonValue | undefined, segment: string | number): JsonValue | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, segment)) return undefined;
  return (value as Record<string | number, JsonValue>)[segment];
}

function isMerged({ path_segments, after_unknown }: AttributeDiff, change: ResourceChange, into: string): boolean {
  const key = path_segments.at(-1);
  if (after_unknown || typeof key !== 'string') return false;
  const merged = readMember(readMember(change.before ?? undefined, into), key);
  return typeof merged === 'string' && readMember(readMember(change.after ?? undefined, into), key) === merged;
}

type JsonSignature = Extract<Signature, { is: 'json' }>;

/** Removes members that are empty or have their default value. */
function plainDocument(value: JsonValue, signature: JsonSignature): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => plainDocument(item, signature));
    return signature.unordered === true ? items.sort((a, b) => compareText(canonicalJson(a), canonicalJson(b))) : items;
  }
  if (value === null || typeof value !== 'object') return value;
  const { defaults = {} } = signature;
  const copy: JsonObject = Object.create(null);
  for (const [key, member] of Object.entries(value)) {
    const kept = plainDocument(member, signature);
    if (isNothing(kept) || (Object.hasOwn(defaults, key) && defaults[key] === kept)) continue;
    copy[key] = kept;
  }
  return copy;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function isNothing(value: JsonValue): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
