import type { AttributeDiff, Change, JsonValue, Reason } from '../result.ts';
import { documentDifferences } from './documents.ts';
import { pathRank } from './path-rank.ts';
import { type ShownValue, showAbsent, showPair, showUnknown, showWithheld } from './values.ts';

/** What an attribute was and becomes. */
export interface Difference {
  path: string;
  /** Where in the document that the attribute holds; null where it holds none. */
  within: string | null;
  before: ShownValue;
  after: ShownValue;
}

/** The values that decide. */
export interface Evidence {
  differences: Difference[];
  /** Differences that are not shown. */
  more: number;
}

const MAX_SHOWN = 2;

/** What a reason speaks of, before and after; null where it speaks of no attribute, or the result does not hold it. */
export function findEvidence({ path, message }: Pick<Reason, 'path' | 'message'>, change: Change): Evidence | null {
  if (path === null || path === '') return null;
  const evidence = differencesAt([path], change);
  const is_quoted = evidence?.differences.every((difference) => isQuoted(difference, message)) ?? true;
  return is_quoted ? null : evidence;
}

/** The attributes that force a replacement, before and after; without those that a reason speaks of. */
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

/** The attribute itself, else what changes below it, else the one that holds it; those that weaken something first. */
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

function toDifferences(diff: AttributeDiff): Difference[] {
  const { path, op, before, after, before_sensitive, after_sensitive, after_unknown, truncated } = diff;
  if (before_sensitive || after_sensitive || diff.scrubbed === true) {
    return [{ path, within: null, ...withheldSides(diff) }];
  }
  if (after_unknown) return [{ path, within: null, before: side(before, op === 'add'), after: showUnknown() }];
  const inside = op === 'update' && !truncated ? documentDifferences(before, after) : null;
  if (inside === null) {
    return [{ path, within: null, ...sides(before, after, { op, truncated }) }];
  }
  return inside.map(({ path: within, op: how, ...values }) => ({
    path,
    within,
    ...sides(values.before, values.after, { op: how, truncated: false }),
  }));
}

/** A withheld value is said to be there; one that is not there is said to be missing. */
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

/** Whether a sentence quotes both sides already. */
function isQuoted({ before, after }: Difference, message: string): boolean {
  return [before, after].every(({ code }) => code !== null && message.includes(code));
}
