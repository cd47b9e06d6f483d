import type { MaybeJson } from '../../../changes/values.ts';
import { isUnlimited, isUnset, readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const STOPS = listWords('suspend pause stop terminate termination shutdown sleep hibernate');
const STOPS_ALONE = listWords('autosuspend autopause autostop autotermination autoterminate autoshutdown');
const CREDENTIAL = listWords('token session credential cookie refresh lease');
const LIFETIME = listWords('lifetime ttl validity duration expiration expiry expire age');
const OTHER = listWords('device key idle min minimum grace leeway threshold period protection url arn reuse');

/** Judges the ends of things that run or are valid until a time: zero, -1 and nothing mean that there is no end. */
export function judgeEnd(argument: Argument): ValueFinding | null {
  const { words } = argument;
  const stops = hasAny(words, STOPS_ALONE) || (hasAny(words, STOPS) && words.has('auto'));
  if (stops) return judge(argument, 'It keeps running without being used, and costs money all the time', isUnset);
  const expires = hasAny(words, CREDENTIAL) && hasAny(words, LIFETIME) && !hasAny(words, OTHER);
  return expires ? judge(argument, 'Credentials never expire, not even stolen ones', () => false) : null;
}

function judge(
  { before, after }: Argument,
  consequence: string,
  isMissing: (value: MaybeJson) => boolean,
): ValueFinding | null {
  const endless = (value: MaybeJson) => isUnlimited(value) || readNumber(value) === 0 || isMissing(value);
  if (endless(before) === endless(after)) return null;
  const is_number = [before, after].some((value) => (readNumber(value) ?? 0) > 0);
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
