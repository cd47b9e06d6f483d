import type { AttributeDiff, Change, JsonValue, Reason } from '../model/result.ts';
import { pathRank } from './path-rank.ts';
import { type ShownValue, showAbsent, showPair, showUnknown, showWithheld } from './values.ts';

/** Old and new value of an attribute. */
export interface Difference {
  path: string;
  /** Path inside the JSON document that the attribute contains; null if it contains none. */
  within: string | null;
  before: ShownValue;
  after: ShownValue;
}

/** The values that decide a risk level or force a replacement. */
export interface Evidence {
  differences: Difference[];
  /** Number of differences that are not shown. */
  more: number;
}

const MAX_SHOWN = 2;

/**
 * Values of the attribute that a reason names; null if it names none, if its message states the values, or if the result
 * does not contain the attribute.
 */
export function findEvidence(
  { path, states_values }: Pick<Reason, 'path' | 'states_values'>,
  change: Change,
): Evidence | null {
  if (path === null || path === '') return null;
  const evidence = differencesAt([path], change);
  return states_values && evidence?.differences.every(hasValues) ? null : evidence;
}

/** Values of the attributes that force a replacement, except those that a reason already covers. */
export function forcingEvidence(change: Change): Evidence | null {
  const reason_paths = new Set(change.risk.reasons.map(({ path }) => path));
  return differencesAt(
    change.replace_paths.filter((path) => !reason_paths.has(path)),
    change,
  );
}

function differencesAt(paths: readonly string[], { attributes }: Change): Evidence | null {
  const found = paths.flatMap((path) => diffsAt(path, attributes));
  const all = [...new Set(found)].flatMap(toDifferences);
  if (all.length === 0) return null;
  return { differences: all.slice(0, MAX_SHOWN), more: all.length - Math.min(all.length, MAX_SHOWN) };
}

/** The attribute itself, else changes below it (weakening ones first), else the attribute that contains it. */
function diffsAt(path: string, attributes: readonly AttributeDiff[]): AttributeDiff[] {
  const exact = attributes.filter((diff) => diff.path === path);
  if (exact.length > 0) return exact;
  const below = attributes.filter((diff) => isBelow(diff.path, path));
  if (below.length > 0) return below.toSorted((a, b) => pathRank(a) - pathRank(b));
  return attributes.filter((diff) => diff.path !== '' && isBelow(path, diff.path)).slice(0, 1);
}

function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && (path[above.length] === '.' || path[above.length] === '[');
}

/** An attribute as one difference, or several inside of the document that it contains. */
export function toDifferences(diff: AttributeDiff): Difference[] {
  const { path, op, before, after, before_sensitive, after_sensitive, after_unknown, truncated } = diff;
  if (before_sensitive || after_sensitive || diff.scrubbed === true) {
    return [{ path, within: null, ...withheldSides(diff) }];
  }
  if (after_unknown) return [{ path, within: null, before: side(before, op === 'add'), after: showUnknown() }];
  if (diff.inside === undefined) return [{ path, within: null, ...sides(before, after, { op, truncated }) }];
  return diff.inside.map(({ path: within, ...values }) => {
    const how = values.before === null ? 'add' : values.after === null ? 'remove' : 'update';
    return { path, within, ...sides(values.before, values.after, { op: how, truncated: false }) };
  });
}

/** Shows a redacted value as `(sensitive)` and an absent one as `not set`. */
function withheldSides({ op, after_unknown }: AttributeDiff): Pick<Difference, 'before' | 'after'> {
  return {
    before: op === 'add' ? showAbsent() : showWithheld(),
    after: op === 'remove' ? showAbsent() : after_unknown ? showUnknown() : showWithheld(),
  };
}

function sides(
  before: JsonValue,
  after: JsonValue,
  { op, truncated }: Pick<AttributeDiff, 'op' | 'truncated'>,
): Pick<Difference, 'before' | 'after'> {
  if (op === 'add') return { before: showAbsent(), after: side(after, false, truncated) };
  if (op === 'remove') return { before: side(before, false, truncated), after: showAbsent() };
  return showPair(before, after, truncated);
}

function side(value: JsonValue, is_absent: boolean, truncated = false): ShownValue {
  return is_absent || value === null ? showAbsent() : showPair(value, null, truncated).before;
}

/** Whether neither value is absent or withheld. A message states only values, not why one is withheld. */
function hasValues({ before, after }: Difference): boolean {
  return before.code !== null && after.code !== null;
}
