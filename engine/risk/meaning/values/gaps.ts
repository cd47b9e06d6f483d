/** Judges rules that look back over a time and run now and then: what falls between two runs is never looked at. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { isObject } from '../../../lib/is-object.ts';
import { text } from '../../attributes/values.ts';
import { readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const LOOKS_BACK =
  /^(?:query_period|window_size|window_duration|window|lookback|lookback_window|look_back|time_window|from|period|search_window|earliest)(?:_(?:seconds|minutes|hours))?$/;
const RUNS =
  /^(?:query_frequency|evaluation_frequency|frequency|interval|run_every|every|schedule_interval|run_interval|check_interval|evaluation_interval)(?:_(?:seconds|minutes|hours))?$/;
const RULE = listWords('rule alert detection monitor query search detector check watch sentinel policy');
/** Elastic counts back from now. */
const FROM_NOW = /^now-(\d{1,6}[smhdw])$/;

export function judgeGap({ names, type, outer, parent, former }: Argument): ValueFinding | null {
  const name = names.at(-1) ?? '';
  if (!(LOOKS_BACK.test(name) || RUNS.test(name)) || !(hasAny(type, RULE) || hasAny(outer, RULE))) return null;
  return hasGap(parent) && !hasGap(former) ? FINDING : null;
}

const FINDING: ValueFinding = {
  rule: 'R-VAL-GAP',
  level: 'high',
  direction: 'weakening',
  consequence: 'The rule looks back over less time than passes between two runs, so it misses what happens in between',
  beyond_rules: true,
};

function hasGap(rule: MaybeJson): boolean {
  const [window, interval] = [readTime(rule, LOOKS_BACK), readTime(rule, RUNS)];
  return window !== null && interval !== null && window > 0 && window < interval;
}

function readTime(rule: MaybeJson, names: RegExp): number | null {
  const found = isObject(rule)
    ? Object.entries(rule).find(([name, value]) => names.test(name) && text(value) !== '')
    : undefined;
  if (found === undefined) return null;
  const value = FROM_NOW.exec(text(found[1]))?.[1] ?? found[1];
  return readSeconds(value, new Set(splitWords(found[0])), 1);
}
