/** Adds up the scores of many plans. */
import { compareLevels } from '../../engine/index.ts';
import { isWithin } from './score-labels.ts';
import type { PairScore } from './score-pairs.ts';
import type { PlanScore, Rate } from './score-plan.ts';

/** The rates of plans and changes, in the order in which the table prints them. */
export const PLAN_RATES = [
  'exact',
  'in_band',
  'dangerous',
  'false_alarms',
  'key_addresses',
  'noise_precision',
  'noise_recall',
] as const;
export const RATES = [...PLAN_RATES, 'pairs'] as const;
export type RateName = (typeof RATES)[number];

export interface Scorecard {
  plans: number;
  exact: Rate;
  in_band: Rate;
  /** Expected high or critical, and rated high or critical. */
  dangerous: Rate;
  /** Expected none or low, and rated high or critical. */
  false_alarms: Rate;
  key_addresses: Rate;
  noise_precision: Rate;
  noise_recall: Rate;
  /** Pairs whose risky plan is rated above the safe one. */
  pairs: Rate;
  secrets_leaked: number;
}

export function buildScorecard(scores: readonly PlanScore[], pairs: readonly PairScore[] = []): Scorecard {
  const rated = scores.filter(({ label }) => label.acceptable !== '');
  const dangerous = rated.filter(
    ({ label }) => isWithin('high', label.expected) || isWithin('critical', label.expected),
  );
  const routine = rated.filter(({ label }) => isWithin('none', label.expected) || isWithin('low', label.expected));
  const sum = (pick: (score: PlanScore) => number) => scores.reduce((total, score) => total + pick(score), 0);
  const found = sum(({ noise }) => noise.found);
  return {
    plans: scores.length,
    exact: computeRate(rated, ({ level, label }) => level === label.expected),
    in_band: computeRate(rated, ({ level, label }) => level !== null && isWithin(level, label.acceptable)),
    dangerous: computeRate(dangerous, isAlarm),
    false_alarms: computeRate(routine, isAlarm),
    key_addresses: { hit: sum(({ keys }) => keys.hit), of: sum(({ keys }) => keys.of) },
    noise_precision: { hit: found, of: found + sum(({ noise }) => noise.false) },
    noise_recall: { hit: found, of: sum(({ noise }) => noise.expected) },
    pairs: computeRate(pairs, ({ ranked }) => ranked),
    secrets_leaked: sum(({ leaks }) => leaks),
  };
}

function isAlarm({ level }: PlanScore): boolean {
  return level !== null && compareLevels(level, 'high') >= 0;
}

function computeRate<T>(items: readonly T[], isHit: (item: T) => boolean): Rate {
  return { hit: items.filter(isHit).length, of: items.length };
}

/** In percent; null if there was nothing to count. */
export function computePercent({ hit, of }: Rate): number | null {
  return of === 0 ? null : (100 * hit) / of;
}
