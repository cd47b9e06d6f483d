import { describe, expect, test } from '@jest/globals';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import { createSummary } from '../../../engine/narrative/summary.ts';
import type { PlanHeader } from '../../../engine/plan/types.ts';
import type { Judgement } from '../../../engine/risk/types.ts';
import { anUpdate } from '../noise/builders.ts';

const header: PlanHeader = {
  format_version: '1.2',
  terraform_version: '1.11.4',
  complete: true,
  errored: false,
  applyable: true,
  redacted: false,
  deferred_count: 0,
  deferred: [],
  check_findings: [],
  checks: { pass: 1, fail: 0, error: 0, unknown: 0 },
};
const judgement = (more: Partial<Judgement> = {}): Judgement => ({
  level: 'low',
  categories: ['other'],
  reasons: [],
  destructive: false,
  guarded: false,
  weakens_high: false,
  ...more,
});

function summarize(changes: Partial<ResourceChange>[], more: Partial<PlanHeader> = {}) {
  const summary = createSummary();
  for (const change of changes) summary.observe(anUpdate('aws_thing', [], change), judgement());
  return summary.finish({ header: { ...header, ...more }, level: 'critical', drift_detected: 0 });
}

describe('the summary', () => {
  test('counts each action, and managed changes with an effect', () => {
    const summary = summarize([
      { action: 'create' },
      { action: 'update' },
      { action: 'replace', actions: ['delete', 'create'] },
      { action: 'replace', actions: ['create', 'forget'] },
      { action: 'delete', actions: ['delete'] },
      { action: 'no-op' },
      { action: 'read', mode: 'data' },
      { action: 'move' },
      { action: 'import' },
      { action: 'forget' },
      { action: 'unknown' },
    ]);

    expect(summary).toMatchObject({
      total: 9,
      create: 1,
      update: 1,
      replace: 2,
      delete: 1,
      read: 1,
      no_op: 1,
      forget: 1,
      import: 1,
      move: 1,
      destructive: 2,
      by_risk: { none: 0, low: 9, medium: 0, high: 0, critical: 0 },
      by_category: { other: 9 },
      by_provider: { aws: 9 },
    });
    expect(summary).not.toHaveProperty('unknown');
  });

  test('counts a change with two categories in each', () => {
    const summary = createSummary();
    summary.observe(anUpdate('aws_thing', []), judgement({ categories: ['iam', 'security'] }));

    expect(summary.finish({ header, level: 'low', drift_detected: 3 })).toMatchObject({
      total: 1,
      by_category: { iam: 1, security: 1 },
      drift_detected: 3,
    });
  });

  test.each<[string, Partial<ResourceChange>[], Partial<PlanHeader>]>([
    ['critical: 1 to replace, 2 to update', [{}, {}, { action: 'replace' }], {}],
    ['critical: no changes', [{ action: 'no-op' }], {}],
    ['critical: 1 to delete (the plan has errors)', [{ action: 'delete' }], { errored: true, complete: false }],
    ['critical: 1 to delete (partial plan)', [{ action: 'delete' }], { complete: false }],
  ])('has the headline "%s"', (headline, changes, more) => {
    expect(summarize(changes, more).headline).toBe(headline);
  });

  test('has a headline of at most 160 characters for any counts', () => {
    const actions = ['delete', 'replace', 'update', 'create', 'forget', 'import', 'move', 'unknown'] as const;
    const many = actions.flatMap((action) => Array<Partial<ResourceChange>>(100_000).fill({ action }));

    const { headline } = summarize(many, { errored: true });

    expect(headline).toContain('100000 to move');
    expect(headline.length).toBeLessThanOrEqual(160);
  });
});
