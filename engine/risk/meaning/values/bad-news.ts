/** Judges lists of the states that people hear of: failures go, and recoveries stay. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { list, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const STATES = listWords('status state event trigger condition notify on when severity type');
const TELLS = listWords('notification notify alert alerting alarm monitor incident pager oncall');
const BAD = listWords(
  'unhealthy critical failed failure fail error down triggered alarm firing activated opened unavailable degraded crashed ' +
    'timeout interrupted breached',
);
const MAX_ITEMS = 100;

export function judgeBadNews({ words, outer, type, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, STATES) || ![words, outer, type].some((names) => hasAny(names, TELLS))) return null;
  const [was, is] = [readItems(before), readItems(after)];
  if (!was.some(isBad) || is.length === 0 || is.some(isBad)) return null;
  return {
    rule: 'R-VAL-NOTIFIED',
    level: 'high',
    direction: 'weakening',
    consequence: 'Nobody hears of failures any more, only of other states',
    beyond_rules: true,
  };
}

function readItems(value: MaybeJson): string[] {
  return Array.isArray(value)
    ? list(value)
        .slice(0, MAX_ITEMS)
        .map(text)
        .filter((item) => item !== '')
    : [];
}

function isBad(item: string): boolean {
  return splitWords(item.slice(0, MAX_ITEMS)).some((word) => BAD.has(word));
}
