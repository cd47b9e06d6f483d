import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readLabels } from '../../bench/score/score-labels.ts';
import { buildScorecard, computePercent, type Scorecard, scorePlan } from '../../bench/score/score-plan.ts';

type Rate = Exclude<keyof Scorecard, 'plans' | 'secrets_leaked'>;

/** Current results of the rules in percent, rounded down; `false_alarms` is a maximum. */
const FIGURES: [set: string, figures: Partial<Record<Rate, number>>][] = [
  ['a', { in_band: 98, dangerous: 100, key_addresses: 73, noise_precision: 100, noise_recall: 97, false_alarms: 4 }],
  ['b', { in_band: 96, dangerous: 100, key_addresses: 78, noise_precision: 100, noise_recall: 86, false_alarms: 6 }],
  ['c', { in_band: 100, dangerous: 100, key_addresses: 72, noise_precision: 100, noise_recall: 97, false_alarms: 0 }],
];

describe.each(FIGURES)('the independent test set %s', (set, figures) => {
  const folder = join(import.meta.dirname, 'independent-sets', set);
  const scores = readLabels(folder).map((label) => scorePlan(readFileSync(join(folder, label.file)), label));
  const card = buildScorecard(scores);
  /** Wrong plans with their errors, shown if a figure is missed. */
  const misses = scores.flatMap(({ label, misses }) => misses.map((miss) => `${label.file}: ${miss}`)).join('\n');

  test.each(Object.entries(figures) as [Rate, number][])('has %s of %d %% or better', (name, figure) => {
    const percent = computePercent(card[name]) ?? 0;
    const kept = name === 'false_alarms' ? percent <= figure : percent >= figure;

    expect(kept ? '' : `${name} is ${percent} %\n${misses}`).toBe('');
  });

  test('shows no secret, and analyzes every plan', () => {
    expect(card.secrets_leaked > 0 ? misses : '').toBe('');
    expect(scores.filter(({ level }) => level === null).map(({ label }) => label.file)).toEqual([]);
  });
});
