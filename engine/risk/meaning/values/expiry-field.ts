import { splitWords } from '../../../effects/words.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const FIELD = listWords('attribute field column path name');
const TTL = listWords('ttl expiry expiration');
const PAST = listWords(
  'created creation create updated update modified inserted timestamp added started received ordered booked seen login',
);
const FUTURE = listWords(
  'expire expires expiry expiration expired ttl purge delete deletion remove until after end valid',
);

/** Judges the field that says when an item expires: if it is a time in the past, every item expires at once. */
export function judgeExpiryField({ words, outer, after, traits }: Argument): ValueFinding | null {
  const about_ttl = hasAny(outer, TTL) || hasAny(words, TTL);
  if (!about_ttl || !hasAny(words, FIELD) || typeof after !== 'string') return null;
  const named = new Set(splitWords(after.slice(0, 200)));
  if (!hasAny(named, PAST) || hasAny(named, FUTURE)) return null;
  return {
    rule: 'R-VAL-LIFETIME',
    level: traits.kind === 'data' ? 'critical' : 'high',
    direction: 'weakening',
    consequence: 'Every item expires at once: the field holds a time in the past',
    beyond_rules: true,
  };
}
