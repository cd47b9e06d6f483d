import { isUnset } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Names of the time at which the service itself deletes the object, unlike the end of its validity. */
const DELETES = [listWords('expire'), listWords('delete deletion destroy purge autodelete')];
const TIME = listWords('time timestamp at on');
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]|$)/;
/** Objects that only become invalid at their end. */
const VALIDITY = listWords(
  'token certificate cert credential session invitation grant role member assignment access api client',
);

/** Judges a time at which an object deletes itself. */
export function judgeEndDate({ words, type, before, after, traits }: Argument): ValueFinding | null {
  if (!DELETES.some((names) => hasAny(words, names)) || !hasAny(words, TIME)) return null;
  if (hasAny(words, listWords('update created last')) || hasAny(type, VALIDITY)) return null;
  if (typeof after !== 'string' || !DATE.test(after)) return null;
  if (!isUnset(before) && String(before) <= after) return null;
  return {
    rule: 'R-VAL-LIFETIME',
    level: traits.kind === null && !traits.holds_secrets ? 'medium' : 'high',
    direction: 'weakening',
    consequence: 'It is deleted with all of its content at that time',
    beyond_rules: true,
  };
}
