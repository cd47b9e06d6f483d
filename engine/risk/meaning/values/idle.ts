import type { MaybeJson } from '../../../changes/values.ts';
import { DAY, isUnlimited, isUnset, readNumber, readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const STOPS = listWords('suspend pause stop terminate termination shutdown sleep hibernate');
const STOPS_ALONE = listWords('autosuspend autopause autostop autotermination autoterminate autoshutdown');
const CREDENTIAL = listWords('token session credential cookie refresh lease');
/** Types of which the objects are credentials. */
const CREDENTIALS = listWords('token credential apikey');
const LIFETIME = listWords('lifetime ttl validity duration expiration expiry expire age');
const OTHER = listWords('device key idle min minimum grace leeway threshold period protection url arn reuse');

/** Judges the ends of things that run or are valid until a time: zero, -1 and nothing mean that there is no end. */
export function judgeEnd(argument: Argument): ValueFinding | null {
  const { words, type } = argument;
  const stops = hasAny(words, STOPS_ALONE) || (hasAny(words, STOPS) && words.has('auto'));
  if (stops) return judge(argument, 'It keeps running without being used, and costs money all the time', isUnset);
  const is_key =
    type.has('key') && (type.has('api') || type.has('access') || type.has('service') || type.has('license'));
  const is_credential = hasAny(words, CREDENTIAL) || hasAny(type, CREDENTIALS) || is_key;
  const expires = is_credential && hasAny(words, LIFETIME) && !hasAny(words, OTHER);
  if (!expires) return null;
  const endless = judge(argument, 'Credentials never expire, not even stolen ones', () => false);
  return endless ?? judgeLonger(argument);
}

/** A lifetime that grows tenfold to more than a day gives stolen credentials as much more time. */
function judgeLonger({ words, before, after }: Argument): ValueFinding | null {
  const [from, to] = [readSeconds(before, words, 1), readSeconds(after, words, 1)];
  if (from === null || to === null || from <= 0 || to <= DAY || to < from * 10) return null;
  return {
    rule: 'R-VAL-ENDLESS',
    level: 'medium',
    direction: 'weakening',
    consequence: 'Credentials stay valid ten times as long or longer, also stolen ones',
  };
}

const NO_WORDS: ReadonlySet<string> = new Set();

function judge(
  { before, after }: Argument,
  consequence: string,
  isMissing: (value: MaybeJson) => boolean,
): ValueFinding | null {
  const endless = (value: MaybeJson) => isUnlimited(value) || readNumber(value) === 0 || isMissing(value);
  if (endless(before) === endless(after)) return null;
  const is_number = [before, after].some((value) => (readNumber(value) ?? readSeconds(value, NO_WORDS, 1) ?? 0) > 0);
  if (!is_number) return null;
  const worse = endless(after);
  return {
    rule: 'R-VAL-ENDLESS',
    level: worse ? 'medium' : 'low',
    direction: worse ? 'weakening' : 'strengthening',
    consequence,
    beyond_rules: true,
  };
}
