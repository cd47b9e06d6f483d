/** Prints the score of a set as text. */
import { compareLevels } from '../../engine/index.ts';
import type { PairScore } from './score-pairs.ts';
import type { PlanScore, Rate } from './score-plan.ts';
import type { SetScore } from './score-set.ts';
import { buildScorecard, computePercent, PLAN_RATES, type Scorecard } from './scorecard.ts';

/** Misses, wrongly ranked pairs, a table by provider, pairs and secrets, as lines. */
export function describeScore({ scores, pairs }: SetScore): string[] {
  const card = buildScorecard(scores, pairs);
  return [
    ...scores.filter(({ misses }) => misses.length > 0).flatMap(describeMiss),
    ...pairs.filter(({ ranked }) => !ranked).flatMap(describePair),
    '',
    ...describeProviders(scores),
    '',
    ...(pairs.length > 0 ? [`pairs: ${formatPairs(card.pairs)}`] : []),
    `secrets leaked: ${card.secrets_leaked}`,
  ];
}

function describeMiss({ label, level, misses, reasons }: PlanScore): string[] {
  const expected = `expected ${label.expected || '-'}${describeDirection(level, label)}`;
  return [
    `! ${label.file}: ${level ?? 'refused'}, ${expected}`,
    ...misses.map((miss) => `    miss:   ${miss}`),
    ...(label.why === '' ? [] : [`    theirs: ${label.why}`]),
    ...reasons.map((reason) => `    ours:   ${reason}`),
  ];
}

function describeDirection(level: PlanScore['level'], { expected }: PlanScore['label']): string {
  if (level === null || expected === '' || level === expected) return '';
  return compareLevels(level, expected as typeof level) > 0 ? ' (too loud)' : ' (too quiet)';
}

function describePair({ risky, safe, risky_level, safe_level, why }: PairScore): string[] {
  const levels = `${risky_level ?? 'refused'}, not above ${safe_level ?? 'refused'}`;
  return [`! pair ${risky} > ${safe}: ${levels}`, ...(why === '' ? [] : [`    theirs: ${why}`])];
}

function describeProviders(scores: readonly PlanScore[]): string[] {
  const providers = [...new Set(scores.map(({ provider }) => provider))].sort();
  const rows = [...providers, 'all'].map((name) => {
    const card = buildScorecard(name === 'all' ? scores : scores.filter(({ provider }) => provider === name));
    return formatRow(
      name,
      String(card.plans),
      PLAN_RATES.map((rate) => formatRate(card[rate])),
    );
  });
  return [formatRow('provider', 'plans', PLAN_RATES), ...rows];
}

function formatRow(name: string, plans: string, cells: readonly string[]): string {
  return `${name.padEnd(14)}${plans.padStart(6)}${cells.map((cell) => cell.padStart(17)).join('')}`;
}

function formatRate(rate: Rate): string {
  const percent = computePercent(rate);
  return percent === null ? '-' : `${percent.toFixed(1)} (${rate.hit}/${rate.of})`;
}

function formatPairs(rate: Scorecard['pairs']): string {
  return `${rate.hit}/${rate.of} (${computePercent(rate)?.toFixed(1)} %)`;
}
