import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readLabels } from '../../bench/score/score-labels.ts';
import { type PlanScore, scorePlan } from '../../bench/score/score-plan.ts';
import { buildScorecard, computePercent, type Scorecard } from '../../bench/score/scorecard.ts';
import { writePlans } from './make/index.ts';

/** Current results of the rules in percent, rounded down. Raise a minimum when the rules improve. */
const FLOORS = [
  ['in_band', 98],
  ['dangerous', 98],
  ['key_addresses', 98],
  ['noise_recall', 94],
] as const;
const MAX_FALSE_ALARMS = 0;

let folder: string;
let scores: PlanScore[];
let card: Scorecard;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dpa-score-test-'));
  writePlans(folder);
  scores = readLabels(folder).map((label) => scorePlan(readFileSync(join(folder, label.file)), label));
  card = buildScorecard(scores);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Wrong plans with their errors, shown if a minimum is missed. */
function describeMisses(): string {
  return scores.flatMap(({ label, misses }) => misses.map((miss) => `${label.file}: ${miss}`)).join('\n');
}

describe('the score of the labeled plans', () => {
  test.each(FLOORS)('has %s of at least %d %%', (name, floor) => {
    const percent = computePercent(card[name]) ?? 0;

    expect(percent < floor ? `${name} is ${percent} %\n${describeMisses()}` : '').toBe('');
  });

  test(`rates at most ${MAX_FALSE_ALARMS} % of the routine plans high`, () => {
    const percent = computePercent(card.false_alarms) ?? 0;

    expect(percent > MAX_FALSE_ALARMS ? `${percent} %\n${describeMisses()}` : '').toBe('');
  });

  test('has a noise precision of at least 99 %', () => {
    expect(computePercent(card.noise_precision) ?? 100).toBeGreaterThanOrEqual(99);
  });

  test('shows no planted secret', () => {
    expect(card.secrets_leaked > 0 ? describeMisses() : '').toBe('');
  });

  test('covers every plan, and every planted secret is in its plan', () => {
    const refused = scores.filter(({ level }) => level === null).map(({ label }) => label.file);
    const missing = scores.flatMap(({ label }) => {
      const text = readFileSync(join(folder, label.file), 'utf8');
      return label.secrets.filter((secret) => !text.includes(secret)).map((secret) => `${label.file}: ${secret}`);
    });
    const addresses = scores.flatMap(({ label }) => {
      const text = readFileSync(join(folder, label.file), 'utf8');
      const named = [...label.key_addresses, ...label.noise_expected].map(([address]) => address);
      return named.filter((address) => !text.includes(JSON.stringify(address))).map((a) => `${label.file}: ${a}`);
    });

    expect({ refused, missing, addresses }).toEqual({ refused: [], missing: [], addresses: [] });
  });
});
