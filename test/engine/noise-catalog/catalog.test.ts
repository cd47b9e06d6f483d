import { describe, expect, test } from '@jest/globals';
import { normalizeChange } from '../../../engine/changes/normalize.ts';
import { analyzePlan } from '../../../engine/index.ts';
import type { JsonObject } from '../../../engine/model/result.ts';
import { classifyNoise } from '../../../engine/noise/classify.ts';
import { findNoiseRules, NOISE_RULES } from '../../../engine/noise-catalog/index.ts';
import any from '../../fixtures/noise-catalog/any.json' with { type: 'json' };
import aws from '../../fixtures/noise-catalog/aws.json' with { type: 'json' };
import azurerm from '../../fixtures/noise-catalog/azurerm.json' with { type: 'json' };
import google from '../../fixtures/noise-catalog/google.json' with { type: 'json' };

interface Example {
  rule: string;
  kind: 'positive' | 'negative';
  type: string;
  before: JsonObject;
  after: JsonObject;
  unknown?: JsonObject;
}

const examples = [...aws, ...azurerm, ...google, ...any] as Example[];

describe.each([...NOISE_RULES])('$id $title', (rule) => {
  const own = examples.filter((example) => example.rule === rule.id);

  test('matches its pattern and no other value', () => {
    const positives = own.filter(({ kind }) => kind === 'positive').map(judge);
    const negatives = own.filter(({ kind }) => kind === 'negative').map(judge);

    expect(positives.length).toBeGreaterThan(0);
    expect(negatives.length).toBeGreaterThan(0);
    const classification = rule.severity === 'caution' ? 'novel' : 'known_benign';
    for (const noise of positives) {
      expect(noise).toMatchObject({ classification, severity: rule.severity, matched_rule_id: rule.id });
    }
    for (const noise of negatives) expect(noise).toMatchObject({ classification: 'novel', matched_rule_id: null });
  });

  test('has plain sentences as texts', () => {
    expect(rule.title).toMatch(/^[A-Z].*[^.]$/);
    expect(rule.description).toMatch(/^[A-Z].*\.$/);
    expect(rule.remedy).toMatch(/^[A-Z].*\.$/);
  });
});

test('rule ids are unique and consecutive, and each cloud has at least forty rules', () => {
  for (const tag of ['AWS', 'AZURE', 'GCP', 'ANY']) {
    const numbers = NOISE_RULES.filter(({ id }) => id.startsWith(`N-${tag}-`)).map(({ id }) =>
      Number(id.split('-')[2]),
    );
    expect(numbers.length).toBeGreaterThanOrEqual(tag === 'ANY' ? 1 : 40);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  }
});

test('a level lowered for a known pattern names the rule', () => {
  const change = { actions: ['update'], before: { limit_amount: '100.0' }, after: { limit_amount: '100.00' } };
  const entry = { address: 'aws_budgets_budget.a', mode: 'managed', type: 'aws_budgets_budget', name: 'a', change };
  const { changes, plan_noise } = analyzePlan(JSON.stringify({ format_version: '1.2', resource_changes: [entry] }));

  expect(changes[0]?.risk.level).toBe('none');
  expect(changes[0]?.risk.reasons).toContainEqual(
    expect.objectContaining({
      rule_id: 'N-AWS-023',
      message: 'Known plan noise: Budget amount with different trailing zeros.',
    }),
  );
  expect(plan_noise).toMatchObject({ known_benign: 1, addresses: { known_benign: ['aws_budgets_budget.a'] } });
});

function judge({ type, before, after, unknown }: Example) {
  const change = normalizeChange({
    address: `${type}.this`,
    mode: 'managed',
    type,
    name: 'this',
    change: { actions: ['update'], before, after, after_unknown: unknown ?? {} },
  });
  return classifyNoise(change, {});
}

test('a type named like the wildcard of its provider uses the rules for any type', () => {
  const unnamed = findNoiseRules('aws_unheard_of');

  expect(unnamed.members.get('tags')?.map(({ provider }) => provider)).toEqual(['aws', 'aws', null]);
  expect(findNoiseRules('aws_*')).toBe(unnamed);
  expect(findNoiseRules('aws_*')).toBe(unnamed);
});

test('types of other providers share the rules about every provider', () => {
  const other = findNoiseRules('random_id');

  expect(other.members.has('tags')).toBe(true);
  expect(findNoiseRules('acme_queue')).toBe(other);
});
