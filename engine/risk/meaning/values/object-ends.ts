/** Judges after how long an object that nobody uses is deleted, with all that it holds. */
import { DAY, isUnlimited, isUnset, readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const DELETES = listWords('delete deletion remove expire expires expiry expiration purge');
const UNUSED = listWords('idle unused inactive inactivity');
/** Services write "never" as a time after the end of every system. */
const NEVER = 100 * 365 * DAY;
const SOON = 2 * DAY;

export function judgeObjectEnd({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, DELETES) || !hasAny(words, UNUSED)) return null;
  const read = (value: Argument['after']) => {
    if (isUnset(value) || isUnlimited(value)) return Number.POSITIVE_INFINITY;
    const seconds = readSeconds(value, words, 1);
    return seconds === null || seconds >= NEVER ? Number.POSITIVE_INFINITY : seconds;
  };
  const [from, to] = [read(before), read(after)];
  if (from === to) return null;
  if (to > from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  return { ...FINDING, level: to <= SOON ? 'high' : 'medium', direction: 'weakening', beyond_rules: true };
}

const FINDING = {
  rule: 'R-VAL-LIFETIME',
  consequence: 'It is deleted sooner when nobody uses it for a while',
} as const;
