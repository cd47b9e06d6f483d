/** Judges values by which objects are selected and that change only in the case of their letters. */
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const SELECTS = listWords('selection selector select');
const FOLLOWS_TAGS = listWords('tag label');
const WHERE = listWords('filter selection selector target condition match');

export function judgeSelectedCase({
  names,
  words,
  outer,
  type,
  before,
  after,
  purpose,
}: Argument): ValueFinding | null {
  if (typeof before !== 'string' || typeof after !== 'string' || before === after) return null;
  if (before.toLowerCase() !== after.toLowerCase() || names.length < 2) return null;
  const by_tags = [words, outer, type].some((of) => hasAny(of, FOLLOWS_TAGS)) && hasAny(outer, WHERE);
  if (!by_tags && !hasAny(outer, SELECTS)) return null;
  const is_protection = purpose === 'backup' || purpose === 'security';
  return { ...FINDING, level: is_protection ? 'high' : 'medium' };
}

const FINDING: Omit<ValueFinding, 'level'> = {
  rule: 'R-VAL-SELECTION',
  direction: 'weakening',
  consequence: 'Letter case counts in tags and labels, so what was selected so far is no longer selected',
  beyond_rules: true,
};
