/** Judges lists of what a protection does: block, challenge, notify. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { list, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const RESPONSES = listWords('action shield response measure reaction remediation mitigation step effect');
const STOPS = listWords(
  'block deny reject drop quarantine lock isolate suspend disable terminate prevent challenge captcha',
);
const MAX_ITEMS = 100;

/** Reports a list of responses that loses the last one that stops something. */
export function judgeResponses({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, RESPONSES) || !(Array.isArray(before) || Array.isArray(after))) return null;
  const [was, is] = [stops(before), stops(after)];
  if (was === is) return null;
  if (is) return { ...FINDING, level: 'low', direction: 'strengthening', consequence: 'It also stops something now' };
  return {
    ...FINDING,
    level: 'high',
    direction: 'weakening',
    consequence: 'It only reports, and stops nothing any more',
  };
}

const FINDING = { rule: 'R-VAL-MODE' } as const;

function stops(value: MaybeJson): boolean {
  return list(value)
    .slice(0, MAX_ITEMS)
    .some((item) => typeof item === 'string' && splitWords(text(item).slice(0, 100)).some((word) => STOPS.has(word)));
}
