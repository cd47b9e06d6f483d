import { describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import { planText } from '../analysis/plans.ts';
import type { NoiseCase } from './cases/build-case.ts';
import { MERGED_LABEL_CASES } from './cases/merged-labels.ts';
import { RECORDED_CASES } from './cases/recorded.ts';
import { REFRESHED_CASES } from './cases/refreshed.ts';
import { STAMP_CASES } from './cases/stamps.ts';
import { UNSET_VALUE_CASES } from './cases/unset-values.ts';

function analyze({ change, others, members }: NoiseCase) {
  const { changes } = analyzePlan(planText({ ...members, resource_changes: [change, ...others] }));
  return changes.find(({ address }) => address === change.address)!;
}

describe.each([
  ['stamps of runs', STAMP_CASES],
  ['labels that a provider adds', MERGED_LABEL_CASES],
  ['refreshed attributes', REFRESHED_CASES],
  ['records of providers', RECORDED_CASES],
  ['unset values', UNSET_VALUE_CASES],
])('%s', (_, cases) => {
  const [benign, twins] = [cases.filter(({ is_noise }) => is_noise), cases.filter(({ is_noise }) => !is_noise)];

  test.each(benign.map((one) => [one.what, one] as const))('are noise: %s', (_, one) => {
    const { noise, risk } = analyze(one);

    expect(noise.classification).not.toBe('novel');
    expect(noise.overridden).toBe(false);
    expect(['none', 'low']).toContain(risk.level);
  });

  test.each(twins.map((one) => [one.what, one] as const))('are no noise: %s', (_, one) => {
    expect(analyze(one).noise.classification).toBe('novel');
  });

  test('have at least a dozen twins', () => {
    expect(twins.length).toBeGreaterThanOrEqual(12);
  });
});
