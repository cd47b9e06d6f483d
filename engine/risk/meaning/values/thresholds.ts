import type { RiskLevel } from '../../../model/result.ts';
import { member } from '../../attributes/values.ts';
import { readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const ALARM = listWords('alarm alert monitor detector condition slo outlier anomaly watchdog healthcheck');
const LIMIT = listWords('threshold critical');
/** Shares are written from 0 to 100 in most places, and from 0 to 1 in some. */
const SHARE = /utilization|percent|pct|availability/i;
const DESCRIBES = ['metric_name', 'metric', 'metric_type', 'filter', 'query', 'metric_query', 'unit', 'expression'];
const OPERATORS = ['comparison_operator', 'operator', 'comparison', 'threshold_operator', 'alarm_operator'];
const MAX_CHARS = 500;
/** Such a difference is a mistaken unit rather than tuning. */
const GRAVE_RATIO = 1000;

const NEVER = 'The alarm can never fire: its threshold cannot be reached';
const RATIO = 'The threshold is a ratio, but the metric is in percent';
const ALWAYS = 'The alarm is always on: every value crosses its threshold';

/** Judges the threshold of an alarm: whether it can be reached, and whether the alarm fires later than before. */
export function judgeThreshold(argument: Argument): ValueFinding | null {
  const { words, outer, type } = argument;
  if (!hasAny(type, ALARM) && !hasAny(outer, ALARM)) return null;
  const [now, past] = [readComparison(argument.parent), readComparison(argument.former)];
  if (hasAny(words, listWords('operator comparison'))) return judgeOperator(past, now);
  if (!hasAny(words, LIMIT)) return null;
  if (now === null) return judgeWithoutOperator(argument);
  const [from, to] = [readNumber(argument.before), readNumber(argument.after)];
  if (to === null || from === to) return null;
  const most = findMost(argument, from);
  if (most === 100 && from !== null && from > 1 && to > 0 && to <= 1)
    return report(now.above ? 'medium' : 'high', RATIO);
  if (isReached(now, to, most) === 'never' && (from === null || isReached(now, from, most) !== 'never'))
    return report('high', NEVER);
  if (isReached(now, to, most) === 'always') return report('medium', ALWAYS);
  return from === null ? null : compareThresholds(now, from, to);
}

/** A share of more than everything is never reached, on whichever side the alarm fires. */
function judgeWithoutOperator(argument: Argument): ValueFinding | null {
  const [from, to] = [readNumber(argument.before), readNumber(argument.after)];
  if (from === null || to === null || from <= 0) return null;
  const most = findMost(argument, from);
  return from <= most && to > most ? report('high', NEVER) : null;
}

/** The side of the threshold on which an alarm fires. */
interface Comparison {
  above: boolean;
  including: boolean;
}

function judgeOperator(past: Comparison | null, now: Comparison | null): ValueFinding | null {
  if (past === null || now === null || past.above === now.above) return null;
  return report('high', 'The comparison is turned around: the alarm fires when all is well, and not when it is not');
}

/** How the alarm compares, as the arguments beside its threshold or query say; null if they do not. */
export function readComparison(parent: Argument['parent']): Comparison | null {
  const name = OPERATORS.find((candidate) => typeof member(parent, candidate) === 'string');
  const operator = name === undefined ? '' : String(member(parent, name)).toLowerCase();
  // Not `lt` anywhere: it is a part of `equalto`.
  const above = /great|above|over|(?:^|[^a-z])gte?(?:[^a-z]|$)|>/.test(operator);
  const below = /less|below|under|(?:^|[^a-z])lte?(?:[^a-z]|$)|</.test(operator);
  if (above === below) return null;
  return { above, including: /equal|gte|lte|=/.test(operator) };
}

/** The greatest value of the metric; infinite if it has none. */
function findMost({ words, parent }: Argument, from: number | null): number {
  const described = DESCRIBES.map((name) => member(parent, name)).filter((value) => typeof value === 'string');
  const is_share = [...words, ...described].some((text) => SHARE.test(text.slice(0, MAX_CHARS)));
  if (!is_share) return Number.POSITIVE_INFINITY;
  return from !== null && from > 0 && from <= 1 ? 1 : 100;
}

/** Metrics of alarms count or measure something, so that they are not below zero. */
function isReached({ above, including }: Comparison, threshold: number, most: number): 'never' | 'always' | 'at times' {
  if (above) {
    if (threshold > most || (threshold === most && !including)) return 'never';
    return threshold < 0 || (threshold === 0 && including) ? 'always' : 'at times';
  }
  if (threshold < 0 || (threshold === 0 && !including)) return 'never';
  return threshold > most || (threshold === most && including) ? 'always' : 'at times';
}

function compareThresholds({ above }: Comparison, from: number, to: number): ValueFinding {
  const [less, more] = above ? [from, to] : [to, from];
  if (more < less) return { ...report('low', 'The alarm fires earlier'), direction: 'strengthening' };
  const ratio = less > 0 ? more / less : Number.POSITIVE_INFINITY;
  if (ratio >= GRAVE_RATIO && less > 0) return report('high', 'The alarm fires far too late, if at all');
  return report(ratio >= 2 ? 'medium' : 'low', 'The alarm fires later');
}

function report(level: RiskLevel, consequence: string): ValueFinding {
  return { rule: 'R-VAL-THRESHOLD', level, direction: 'weakening', consequence };
}
