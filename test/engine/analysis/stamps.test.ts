/** What the rest of a plan means for the stamps of a change. */
import { describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import type { RawResourceChange } from '../../../engine/plan/types.ts';
import { compileRules } from '../../../engine/rules/index.ts';
import { entry, planText } from './plans.ts';

const stamped = (i: number | string) =>
  entry('aws_sns_topic', `t${i}`, {
    before: { tags: { git_sha: '4f2c1d9' } },
    after: { tags: { git_sha: 'a81b77c' } },
  });
const same = { name: 'git_sha' };
const reader = entry('aws_ssm_parameter', 'reader', { actions: ['no-op'], before: same, after: same });

function countNoise(changes: RawResourceChange[], members: Record<string, unknown> = {}): number {
  return analyzePlan(planText({ resource_changes: changes, ...members })).plan_noise.known_benign;
}

describe('a stamp', () => {
  test('is no noise if a resource reads its key, wherever it is in the plan', () => {
    expect(countNoise([stamped(1)])).toBe(1);
    expect(countNoise([stamped(1), reader])).toBe(0);
    expect(countNoise([reader, stamped(1)])).toBe(0);
  });

  test('is no noise if the plan lists the reading expression before or after it', () => {
    const relevant_attributes = [{ resource: 'aws_sns_topic.t1', attribute: ['tags'] }];

    expect(countNoise([stamped(1)], { relevant_attributes })).toBe(0);
    expect(countNoise([stamped(2)], { relevant_attributes })).toBe(1);
  });

  test('is no noise if more changes wait than the rest of the plan can be considered for', () => {
    const many = Array.from({ length: 2_001 }, (_, i) => stamped(i));

    expect(countNoise(many.slice(1))).toBe(2_000);
    expect(countNoise(many)).toBe(0);
  });

  test('is no noise if the organization disabled the rule', () => {
    const none = { noise_rules: [], risk_rules: [], suppressions: [], owners: [], policy: { version: 0, rules: [] } };
    const off = { ...none, disabled: { noise: ['N-ANY-001'], risk: [] } };
    const book = compileRules(off, { repo: null, branch: null, now: new Date('2026-05-01T12:00:00Z') });
    const plan = planText({ resource_changes: [stamped(1)] });

    expect(analyzePlan(plan).changes[0]?.noise.matched_rule_id).toBe('N-ANY-001');
    expect(analyzePlan(plan, { book }).changes[0]?.noise.classification).toBe('novel');
  });

  test('in drift is judged with the planned resources', () => {
    const classify = (changes: RawResourceChange[]) =>
      analyzePlan(planText({ resource_changes: changes, resource_drift: [stamped(1)] })).resource_drift[0]?.noise;

    expect(classify([stamped(1)])?.classification).toBe('known_benign');
    expect(classify([stamped(1), reader])?.classification).toBe('novel');
  });
});
