import type { MaybeJson } from '../../../changes/values.ts';
import { isUnset } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Names of the time at which the service itself deletes the object, unlike the end of its validity. */
const DELETES = [listWords('expire'), listWords('delete deletion destroy purge autodelete')];
const TIME = listWords('time timestamp at on date');
const OTHER_TIMES = listWords('update updated created last');
/** Later than every date. */
const NEVER = '9999';
const VALID_UNTIL = listWords('expire expiry expiration');
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]|$)/;
/** Objects that only become invalid at their end. */
const VALIDITY = listWords(
  'token certificate cert credential session invitation grant role member assignment access api client',
);

/** Judges a time at which an object deletes itself, or a credential becomes invalid. */
export function judgeEndDate(argument: Argument): ValueFinding | null {
  const { words, type, before, after, traits } = argument;
  if (!hasAny(words, TIME) || hasAny(words, OTHER_TIMES)) return null;
  const [from, to] = [readDate(before), readDate(after)];
  if (from === null || to === null || from === to) return null;
  if (hasAny(words, VALID_UNTIL) && (hasAny(type, VALIDITY) || (traits.holds_secrets && words.has('date'))))
    return judgeValidity(to, to < from && traits.holds_secrets);
  if (!DELETES.some((names) => hasAny(words, names)) || words.has('date')) return null;
  if (to >= from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  const holds = traits.kind !== null || traits.holds_secrets;
  return { ...FINDING, level: holds ? 'high' : 'medium', direction: 'weakening' };
}

function judgeValidity(to: string, is_sooner: boolean): ValueFinding {
  if (is_sooner) return { ...SOONER, level: 'medium', direction: 'neutral' };
  const endless = to === NEVER;
  return { ...ENDLESS, level: endless ? 'medium' : 'low', direction: endless ? 'weakening' : 'neutral' };
}

const ENDLESS = { rule: 'R-VAL-ENDLESS', consequence: 'Credentials never expire, not even stolen ones' } as const;
const SOONER = { rule: 'R-VAL-LIFETIME', consequence: 'It becomes invalid sooner; what uses it then fails' } as const;
const FINDING = {
  rule: 'R-VAL-LIFETIME',
  consequence: 'It is deleted with all of its content at that time',
  beyond_rules: true,
} as const;

/** Dates in this format sort as text; without one, the object stays. */
function readDate(value: MaybeJson): string | null {
  if (isUnset(value)) return NEVER;
  return typeof value === 'string' && DATE.test(value) ? value : null;
}
