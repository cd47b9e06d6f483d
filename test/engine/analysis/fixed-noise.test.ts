/** Noise rules with a fixed provider version, in plans with a provider version constraint. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyzePlan, compactPlan } from '../../../engine/index.ts';
import { entry, planText } from './plans.ts';

/** A catalog rule applies to provider versions before 3.52.0. */
const budget = (name = 'a') =>
  entry('aws_budgets_budget', name, { before: { limit_amount: '100.0' }, after: { limit_amount: '100.00' } });
const configuration = (version_constraint?: string) => ({
  provider_config: { aws: { name: 'aws', full_name: 'registry.terraform.io/hashicorp/aws', version_constraint } },
  root_module: { resources: [] },
});
const benign = (text: string) => analyzePlan(text).plan_noise.known_benign;

describe('noise that a provider release has fixed', () => {
  test.each([
    ['~> 5.0', 0],
    ['>= 3.52.0', 0],
    ['>= 3.51.0', 1],
    ['< 6.0.0', 1],
    [undefined, 1],
  ])('is ignored for the constraint "%s": %d noise changes', (constraint, expected) => {
    const members = { resource_changes: [budget()], configuration: configuration(constraint) };

    expect(benign(planText(members))).toBe(expected);
  });

  test('is evaluated as a normal change', () => {
    const plan = (constraint: string) =>
      analyzePlan(planText({ resource_changes: [budget()], configuration: configuration(constraint) })).changes[0]!;

    expect(plan('~> 3.0')).toMatchObject({ risk: { level: 'none' }, noise: { matched_rule_id: 'N-AWS-023' } });
    expect(plan('~> 5.0')).toMatchObject({
      risk: { level: 'low' },
      noise: { classification: 'novel', matched_rule_id: null },
      attributes: [{ noise: 'novel' }],
    });
  });

  test('is still noise if both values are proven equivalent', () => {
    const policy = (...actions: string[]) =>
      JSON.stringify({ Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] });
    const update = entry('aws_iam_policy', 'p', {
      before: { policy: policy('s3:GetObject', 's3:ListBucket') },
      after: { policy: policy('s3:ListBucket', 's3:GetObject') },
    });

    expect(benign(planText({ resource_changes: [update], configuration: configuration('~> 5.0') }))).toBe(1);
  });

  test('is classified the same for any order of members and for a compacted plan', () => {
    const members = {
      format_version: '1.2',
      resource_changes: [budget(), budget('b')],
      resource_drift: [budget('c')],
      configuration: configuration('~> 5.0'),
      relevant_attributes: [],
    };
    const expected = analyzePlan(planText(members));
    expect(expected.plan_noise.known_benign).toBe(0);
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(members), { minLength: 5 }), (shuffled) => {
        const text = planText(Object.fromEntries(shuffled));

        expect(analyzePlan(text)).toEqual(expected);
        expect(analyzePlan(compactPlan(Buffer.from(text)))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('uses the second provider configuration if there are two', () => {
    const text = planText({ resource_changes: [budget()], configuration: configuration('~> 5.0') });
    const twice = `${text.slice(0, -1)},"configuration":{}}`;

    expect([benign(text), benign(twice), benign(Buffer.from(compactPlan(Buffer.from(twice))).toString())]).toEqual([
      0, 1, 1,
    ]);
  });

  test('is not assumed if more changes wait than the limit allows', () => {
    const many = Array.from({ length: 2500 }, (_, i) => budget(`b${i}`));

    const withoutVersions = benign(planText({ resource_changes: many }));

    expect(withoutVersions).toBeLessThan(2500);
    expect(benign(planText({ resource_changes: many, configuration: configuration('~> 5.0') }))).toBe(0);
    expect(benign(planText({ configuration: configuration('~> 3.0'), resource_changes: many }))).toBe(2500);
  });
});
