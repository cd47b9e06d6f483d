/** Judges which answers of a service count as healthy. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { list, text } from '../../attributes/values.ts';
import { isUnset } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const HEALTHY = listWords('success successful expected healthy accept accepted ok valid matcher health');
const CODES = new Set(splitWords('code status http response matcher'));
const BODY = listWords('body content contain string text keyword match matching');
const PROBES = listWords('probe check health monitor synthetic uptime test heartbeat');
const RANGE = /^([1-5])(\d\d|xx)(?:-([1-5])(\d\d|xx))?$/i;
const MAX_CODES = 500;

export function judgeProbe(argument: Argument): ValueFinding | null {
  const { words, outer, type } = argument;
  const is_probe = hasAny(outer, PROBES) || hasAny(type, PROBES) || hasAny(words, PROBES);
  const is_success = hasAny(words, HEALTHY) || hasAny(outer, HEALTHY);
  if (!is_probe && !is_success) return null;
  if (hasAny(words, CODES) && is_success) return judgeCodes(argument);
  return is_probe && is_success && hasAny(words, BODY) ? judgeBody(argument) : null;
}

function judgeCodes({ before, after }: Argument): ValueFinding | null {
  const [was, is] = [readClasses(before), readClasses(after)];
  if (was === null || is === null || is.size === 0) return null;
  const gained = CLASSES.find(([first]) => is.has(first) && !was.has(first));
  if (gained === undefined) return is.has('1') === was.has('1') ? { ...FINDING, ...ROUTINE } : null;
  return { ...FINDING, level: gained[1], consequence: gained[2] };
}

const FINDING = { rule: 'R-VAL-PROBE', direction: 'weakening' } as const;
const ERRORS = 'Errors count as success, so failures are not noticed';
/** Classes of codes that are no success, the gravest first. */
const CLASSES = [
  ['5', 'high', ERRORS],
  ['4', 'medium', ERRORS],
  ['3', 'medium', 'Redirects count as success, also those to a page that says what is wrong'],
] as const;
const ROUTINE = {
  level: 'low',
  direction: 'neutral',
  consequence: 'Other answers without an error are expected',
} as const;

function judgeBody({ before, after }: Argument): ValueFinding | null {
  if (isUnset(before) || !isUnset(after)) return null;
  return { ...FINDING, level: 'medium', consequence: 'Any answer counts as healthy, whatever it says' };
}

/** First digits of status codes; null if the value holds something else. */
function readClasses(value: MaybeJson): Set<string> | null {
  const codes = list(value)
    .flatMap((item) => text(item).split(/[\s,|]+/, MAX_CODES))
    .filter((item) => item !== '');
  const classes = new Set<string>();
  for (const code of codes.slice(0, MAX_CODES)) {
    const match = RANGE.exec(code);
    if (match === null) return null;
    for (let first = Number(match[1]); first <= Number(match[3] ?? match[1]); first++) classes.add(String(first));
  }
  return classes;
}
