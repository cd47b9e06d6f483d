/** Judges exclusions that cover everything, and samples of nothing: a check, a backup or a log goes on, but sees nothing. */
import { list, text } from '../../attributes/values.ts';
import { gainsOnlyEphemeral } from './ephemeral.ts';
import { readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const EXCLUDES = listWords('exclude excluded exclusion ignore ignored skip skipped exempt exemption exempted except');
const LOOKS = listWords(
  'scan scanner policy audit log logging trail backup snapshot detector monitor alert firewall waf rule',
);
const EVERYTHING = /^(?:\/?\*{1,2}(?:\/\*{1,2})?|\.\*|\^?\.\*\$?|\/|any|all)$/i;
const MAX_ENTRIES = 500;

/** An entry such as `**` that comes to a list of what is left out. */
export function judgeExclusion({ words, type, purpose, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, EXCLUDES)) return null;
  if (gainsOnlyEphemeral(before, after)) return TEMPORARY;
  const [was, is] = [before, after].map((side) => list(side).slice(0, MAX_ENTRIES).some(isEverything));
  if (was === is) return null;
  const consequence = 'Everything is left out, so nothing is covered any more';
  if (was === true) return { rule: 'R-VAL-EXCLUDE', level: 'low', direction: 'strengthening', consequence };
  const is_grave = hasAny(type, LOOKS) || purpose === 'backup' || purpose === 'security' || purpose === 'alarm';
  return { rule: 'R-VAL-EXCLUDE', level: is_grave ? 'high' : 'medium', direction: 'weakening', consequence };
}

const TEMPORARY: ValueFinding = {
  rule: 'R-VAL-EXCLUDE',
  level: 'low',
  direction: 'neutral',
  consequence: 'Only what is temporary is left out, too',
};

function isEverything(entry: Argument['after']): boolean {
  return EVERYTHING.test(text(entry));
}

const SAMPLES = listWords('sample sampling sampled');
const SHARES = listWords('rate ratio percent percentage pct probability fraction');
/** Such a cut leaves too little to find anything in. */
const GRAVE_RATIO = 100;

/** The share of requests, logs or traces that is recorded. */
export function judgeSample({ words, outer, purpose, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, SHARES) || !(hasAny(words, SAMPLES) || hasAny(outer, SAMPLES))) return null;
  const [from, to] = [readNumber(before), readNumber(after)];
  if (from === null || to === null || from <= 0 || to < 0 || to > from / GRAVE_RATIO) return null;
  const consequence = to === 0 ? 'Nothing is recorded any more' : 'Hardly anything is recorded any more';
  return {
    rule: 'R-VAL-EXCLUDE',
    level: purpose === 'security' ? 'high' : 'medium',
    direction: 'weakening',
    consequence,
  };
}
