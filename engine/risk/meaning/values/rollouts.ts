/** Judges how a change reaches many machines: how many at once, and what stops it when it fails. */
import { isUnset, readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const ROLLOUTS = listWords(
  'rollout deploy deployment upgrade update patch patching release maintenance rolling reboot migration',
);
const AT_ONCE = listWords('parallel parallelism concurrency concurrent batch surge wave simultaneous');
const STOPS = listWords('health check rollback alarm abort bake verification validation analysis threshold');
const PAUSES = listWords('pause wait bake soak delay interval between');

const FINDING = { rule: 'R-VAL-ROLLOUT', direction: 'weakening' } as const;

export function judgeRollout({ words, type, outer, before, after }: Argument): ValueFinding | null {
  if (!hasAny(type, ROLLOUTS) && !hasAny(outer, ROLLOUTS)) return null;
  if (hasAny(words, AT_ONCE)) return judgeShare(before, after);
  if (hasAny(words, STOPS) && typeof before === 'string' && !isUnset(before) && isUnset(after))
    return { ...FINDING, level: 'high', consequence: 'Nothing stops it any more when it fails' };
  if (!hasAny(words, PAUSES) || isUnset(before) || isZero(before) || !isZero(after)) return null;
  return { ...FINDING, level: 'medium', consequence: 'There is no time to notice a failure before it goes on' };
}

/** From a part of the machines to all of them. */
function judgeShare(before: Argument['before'], after: Argument['after']): ValueFinding | null {
  const [was, is] = [readPercent(before), readPercent(after)];
  if (is === null || is < 100 || (was !== null && was >= 100)) return null;
  return { ...FINDING, level: 'high', consequence: 'All machines change at the same time' };
}

function readPercent(value: Argument['before']): number | null {
  return typeof value === 'string' && value.endsWith('%') ? readNumber(value) : null;
}

function isZero(value: Argument['after']): boolean {
  return value === 0 || (typeof value === 'string' && /^0[a-z]{0,3}$/i.test(value));
}
