import type { AttributeDiff, JsonValue } from '../model/result.ts';
import { isSecretAttribute } from '../redact/known-attributes.ts';
import { MASK } from '../redact/scrubber.ts';
import { holdsSecret, isSecretName } from '../redact/secrets.ts';
import { isAmountName, nameFreedom } from './free-names.ts';
import { hasHarmlessForm, isRangeOrSchedule } from './harmless-forms.ts';
import { isOperation } from './permission-names.ts';
import { isSettingValue } from './setting-values.ts';

const MAX_LENGTH = 60;
const MAX_ITEMS = 16;
const MAX_NUMBER = 1e12;
/** An amount written as text: `604800000`. */
const AMOUNT = /^-?\d{1,12}$/;

/** Both sides of a leaf, if they may be sent. */
export interface ShownSides {
  before: JsonValue;
  after: JsonValue;
}

/** What a difference says about its two values. */
export type Leaf = Pick<AttributeDiff, 'path_segments' | 'before' | 'after' | 'after_unknown'>;

/**
 * Both sides of a difference, if both have a harmless format: numbers, booleans, listed setting values, versions,
 * addresses, ranges, durations, schedules. Free text is never sent, because it may be a secret or an instruction.
 */
export function pickSafeSides(diff: AttributeDiff, type: string): ShownSides | null {
  return isMarked(diff) || diff.truncated ? null : pickSafeLeaf(diff, type);
}

/** As {@link pickSafeSides}, for a difference that is known to contain no marked and no cut value. */
export function pickSafeLeaf({ path_segments: path, before, ...rest }: Leaf, type: string): ShownSides | null {
  const after = rest.after_unknown ? null : rest.after;
  if (before === null && after === null) return null;
  if (isSecretPath(path, type)) return null;
  const freedom = nameFreedom(path);
  const is_amount = isAmount(before) && isAmount(after) && freedom === 'amount';
  const name = { is_free: freedom !== null && !is_amount, last: findLastName(path) };
  return isHarmless(before, name) && isHarmless(after, name) ? { before, after } : null;
}

/**
 * The harmless side of a difference whose other side is withheld: a rule may open to `*`, or a condition may become
 * empty, and the new value says it all. Nothing of values that can be texts of any kind is shown.
 */
export function pickSafeSide(
  { path_segments: path, before, after, after_unknown }: Leaf,
  type: string,
): (ShownSides & { withheld: 'before' | 'after' }) | null {
  if (after_unknown || nameFreedom(path) !== null || isSecretPath(path, type)) return null;
  const name = { is_free: false, last: findLastName(path) };
  const [shows_before, shows_after] = [isHarmless(before, name), isHarmless(after, name)];
  if (shows_before === shows_after) return null;
  return shows_after ? { before: null, after, withheld: 'before' } : { before, after: null, withheld: 'after' };
}

/** Whether the plan, or the search for secrets, withholds a side. */
export function isMarked({ before_sensitive, after_sensitive, scrubbed }: AttributeDiff): boolean {
  return before_sensitive || after_sensitive || scrubbed === true;
}

/** Whether the names on the path, or the type, say that the value is a secret. */
export function isSecretPath(path: Leaf['path_segments'], type: string): boolean {
  return isSecretName(path) || isSecretAttribute(type, path);
}

export function findLastName(path: Leaf['path_segments']): string | undefined {
  return path.findLast((segment) => typeof segment === 'string');
}

function isAmount(value: JsonValue): boolean {
  return value === null || typeof value === 'number';
}

interface AttributeName {
  /** The value may be anything: only words of a known list are shown. */
  is_free: boolean;
  last: string | undefined;
}

function isHarmless(value: JsonValue, name: AttributeName): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return !name.is_free && Math.abs(value) < MAX_NUMBER;
  if (typeof value === 'string') return isHarmlessText(value, name);
  if (!Array.isArray(value)) return false;
  return value.length <= MAX_ITEMS && value.every((item) => typeof item !== 'object' && isHarmless(item, name));
}

function isHarmlessText(text: string, { is_free, last }: AttributeName): boolean {
  if (text === '') return true;
  if (text.length > MAX_LENGTH || text.includes(MASK) || holdsSecret(text)) return false;
  if (isSettingValue(text) || isRangeOrSchedule(text)) return true;
  if (isAmountName(last) && AMOUNT.test(text)) return true;
  return !is_free && (hasHarmlessForm(text) || isOperation(text, last));
}
