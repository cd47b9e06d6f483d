import type { RiskLevel } from '../../../model/result.ts';
import { isUnlimited, isUnset, readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Limits without which nothing runs, and limits of which zero may also mean that there is none. */
const HARD = listWords('quota concurrency concurrent hard throttling');
const LIMITS = listWords('max maximum limit quota cap ceiling concurrency concurrent hard throttling allowance');
/** What people or programs may take; more of it is more dangerous, unlike more capacity. */
const MONEY = listWords(
  'payout amount spend spending transfer withdrawal transaction credit budget fee refund charge trade payment loan cost',
);
const ATTEMPTS = listWords('attempt lockout failed bruteforce');
/** Amounts of which zero is ordinary. */
const ZERO_IS_FINE = listWords(
  'min minimum surge unavailable retry attempt delay age wait timeout duration second minute hour day ttl interval ' +
    'period window cooldown lag jitter skew idle weight priority index order port cost version tolerance threshold ' +
    'spare warm retention backup expiration log drift offset depth level history disruption healthy',
);
const CAPACITY = listWords('capacity replica desired count instance node size worker task machine pod broker executor');
const RUNS = listWords(
  'service deployment function app node pool group fleet autoscaler autoscaling autoscale scaling cluster stateful',
);
const INGESTS = listWords('log workspace insight monitor monitoring trace siem sentinel audit telemetry metric');
const INGESTION = listWords('quota cap ingest ingestion daily');
const GRAVE_CUT = 10;

/** Judges limits: zero that stops everything, none where one protects, and ones that lose observations. */
export function judgeLimit(argument: Argument): ValueFinding | null {
  const { words, outer, type } = argument;
  const is_limit = hasAny(words, LIMITS) || hasAny(outer, HARD) || type.has('quota');
  if (is_limit && hasAny(words, INGESTION) && hasAny(type, INGESTS)) return judgeIngestion(argument);
  if (is_limit && guardsAgainst(argument)) return judgeGuard(argument);
  if (words.has('rate') && words.has('limit')) return judgeRate(argument);
  if (hasAny(words, ZERO_IS_FINE)) return null;
  if (readNumber(argument.after) === 0) return judgeZero(argument, is_limit);
  return is_limit && isHard(argument) ? judgeCut(argument) : null;
}

function isHard({ words, outer, type }: Argument): boolean {
  return hasAny(words, HARD) || hasAny(outer, HARD) || type.has('quota');
}

function judgeZero(argument: Argument, is_limit: boolean): ValueFinding | null {
  const { words, type, before, effect, traits } = argument;
  if (readNumber(before) === 0 || effect.sentinel?.value === 0) return null;
  if (is_limit && isHard(argument)) return weaken('high', 'Nothing may run or be created any more: the limit is zero');
  if (!hasAny(words, CAPACITY)) return null;
  if (isUnset(before) || (effect.effect !== 'capacity' && effect.effect !== 'unknown')) return null;
  const runs = traits.workload || hasAny(type, RUNS);
  return weaken(runs ? 'high' : 'medium', 'All capacity is removed');
}

/** Limits of running things; those that run already stay, but replacements may fail. */
function judgeCut({ before, after }: Argument): ValueFinding | null {
  const [from, to] = [readNumber(before), readNumber(after)];
  if (isUnlimited(after) || from === null || to === null || from <= 0 || to <= 0) return null;
  if (to > from) return { ...weaken('low', 'More may run or be created'), direction: 'neutral' };
  return to <= from / 2 ? weaken('medium', 'The limit may be below current use, so that restarts fail') : null;
}

function guardsAgainst({ words, type, effect }: Argument): boolean {
  if (hasAny(words, ATTEMPTS)) return effect.effect === 'guard' || effect.inferred;
  return hasAny(words, MONEY) || hasAny(type, MONEY);
}

/** A limit of what callers may take. */
function judgeGuard({ words, before, after }: Argument): ValueFinding | null {
  if (isUnlimited(after) && !isUnlimited(before)) return weaken('high', 'There is no limit any more');
  const [from, to] = [readNumber(before), readNumber(after)];
  if (hasAny(words, ATTEMPTS) && to === 0 && from !== null && from > 0)
    return weaken('high', 'Logins are no longer locked after failed attempts');
  if (from === null || to === null || from <= 0 || to <= 0 || isUnlimited(before)) return null;
  if (to >= from * GRAVE_CUT) return weaken('high', 'The limit is raised tenfold or more');
  if (to >= from * 2) return weaken('medium', 'The limit is raised to twice as much or more');
  return { ...weaken('low', 'The limit changes'), direction: to < from ? 'strengthening' : 'neutral' };
}

/** How often callers may ask: without a number, or with zero, there is no limit, or nobody may. */
function judgeRate({ before, after }: Argument): ValueFinding | null {
  const from = readNumber(before);
  if (from === null || from <= 0) return null;
  const ends = isUnset(after) || isUnlimited(after) || readNumber(after) === 0;
  if (ends) return weaken('medium', 'Requests are no longer limited, or none is let through');
  const to = readNumber(after);
  // Limits are tuned in small steps.
  const is_small = to !== null && to < from * 2 && to > from / 2;
  return is_small ? { ...weaken('low', 'The limit changes'), direction: 'neutral' } : null;
}

/** A daily cap on logs or metrics: what comes after it is lost. */
function judgeIngestion({ before, after }: Argument): ValueFinding | null {
  const [from, to] = [readCap(before), readCap(after)];
  if (from === null || to === null || from === to) return null;
  if (to > from) return { ...weaken('low', 'More is recorded'), direction: 'strengthening' };
  const grave = to <= 1 || (from !== Number.POSITIVE_INFINITY && to <= from / GRAVE_CUT);
  return weaken(grave ? 'high' : 'medium', 'What is recorded beyond the daily cap is lost');
}

function readCap(value: Argument['after']): number | null {
  return isUnset(value) || isUnlimited(value) ? Number.POSITIVE_INFINITY : readNumber(value);
}

function weaken(level: RiskLevel, consequence: string): ValueFinding {
  return { rule: 'R-VAL-LIMIT', level, direction: 'weakening', consequence };
}
