import type { MaybeJson } from '../../../changes/values.ts';
import { isObject } from '../../../lib/is-object.ts';
import { isUnset } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Names of the time at which the service itself deletes the object, unlike the end of its validity. */
const DELETES = [listWords('expire'), listWords('delete deletion destroy purge autodelete')];
const TIME = listWords('time timestamp at on date');
const OTHER_TIMES = listWords('update updated created last');
/** Later than every date. */
const NEVER = '9999';
const VALID_UNTIL = listWords('expire expiry expiration end');
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]|$)/;
/** Objects that only become invalid at their end. */
const VALIDITY = listWords(
  'token certificate cert credential session invitation grant role member assignment access api client password',
);

/** Judges a time at which an object deletes itself, or a credential becomes invalid. */
export function judgeEndDate(argument: Argument): ValueFinding | null {
  const { words, type, before, after, traits } = argument;
  if (isReversedSpan(argument)) return NO_TIME;
  if (!(hasAny(words, TIME) || hasAny(words, UNTIL)) || hasAny(words, OTHER_TIMES)) return null;
  const [from, to] = [readDate(before), readDate(after)];
  if (from === null || to === null || from === to) return null;
  if (to < LONG_AGO && from >= LONG_AGO && ends(words)) return PAST;
  if (hasAny(words, VALID_UNTIL) && (hasAny(type, VALIDITY) || (traits.holds_secrets && words.has('date'))))
    return judgeValidity(from, to, traits.holds_secrets);
  if (hasAny(words, VALID_UNTIL) && hasAny(type, RUNS) && from === NEVER)
    return { ...ENDS, level: 'medium', direction: 'weakening' };
  if (!DELETES.some((names) => hasAny(words, names)) || words.has('date')) return null;
  if (to >= from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  const holds = traits.kind !== null || traits.holds_secrets;
  return { ...FINDING, level: holds ? 'high' : 'medium', direction: 'weakening' };
}

/** No plan that this version judges is older. */
const LONG_AGO = '2025-01-01';
/** `valid_until` and `not_after` name an end without a word for a time. */
const UNTIL = listWords('until after');
const PAST: ValueFinding = {
  rule: 'R-VAL-SCHEDULE',
  level: 'high',
  direction: 'weakening',
  consequence: 'The end is in the past, so it no longer holds or runs',
  beyond_rules: true,
};

const NO_TIME: ValueFinding = {
  rule: 'R-VAL-SCHEDULE',
  level: 'high',
  direction: 'weakening',
  consequence: 'It ends before it begins, so it never holds or runs',
  beyond_rules: true,
};
const BEGINS = /^(?:starts?|begins?|from|valid_from|not_before|effective_from|active_from|activation)(?:_|$)/i;
const ENDS_AT = /^(?:ends?|until|valid_until|not_after|expires?|expiry|expiration|stops?|active_until|to)(?:_|$)/i;

/** Whether an object comes to end before it begins. */
function isReversedSpan({ names, before, after, parent, former }: Argument): boolean {
  const name = toSnakeCase(names.at(-1) ?? '');
  if (!BEGINS.test(name) && !ENDS_AT.test(name)) return false;
  if (typeof after !== 'string' || !DATE.test(after) || after === before) return false;
  return endsFirst(parent) && !endsFirst(former);
}

/** Whether the only beginning of an object is after its only end. */
function endsFirst(holder: MaybeJson): boolean {
  if (!isObject(holder)) return false;
  const dates = Object.entries(holder).flatMap(([key, value]) =>
    typeof value === 'string' && DATE.test(value) ? [[toSnakeCase(key), value] as const] : [],
  );
  const [begins, ...later] = dates.filter(([key]) => BEGINS.test(key));
  const [ends, ...other] = dates.filter(([key]) => ENDS_AT.test(key));
  if (begins === undefined || ends === undefined || later.length + other.length > 0) return false;
  return Date.parse(ends[1]) < Date.parse(begins[1]);
}

function toSnakeCase(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}

function ends(words: ReadonlySet<string>): boolean {
  return hasAny(words, VALID_UNTIL) || words.has('until') || (words.has('not') && words.has('after'));
}

function judgeValidity(from: string, to: string, holds_secrets: boolean): ValueFinding {
  if (to < from && holds_secrets) return { ...SOONER, level: 'medium', direction: 'neutral' };
  const endless = to === NEVER || Number(to.slice(0, 4)) - Number(from.slice(0, 4)) >= LONG_YEARS;
  return { ...ENDLESS, level: endless ? 'medium' : 'low', direction: endless ? 'weakening' : 'neutral' };
}

/** A credential that becomes valid for this much longer hardly ever ends. */
const LONG_YEARS = 5;
/** What runs until its end, and then no longer. */
const RUNS = listWords('schedule scheduler job trigger rule task runbook');
const ENDS = { rule: 'R-VAL-SCHEDULE', consequence: 'It runs until a date, and then no longer' } as const;
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
  if (typeof value !== 'string' || !DATE.test(value)) return null;
  return value.startsWith(NEVER) ? NEVER : value;
}
