import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { renderReview } from '../../../engine/index.ts';
import type { MachineResult } from '../../../engine/review/machine.ts';
import type { PlanOutcome, Review } from '../../../engine/review/types.ts';
import { aChange, aDelete, anAnalysis, aReplace } from '../render/builders.ts';
import { analyzed, aPlan, aReview, OLDER } from './builders.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../../docs/check-result.schema.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;
const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);

const HIGH = analyzed(anAnalysis([aDelete('aws_db_instance.a'), aChange('aws_lb.b')]));
const FAILED: PlanOutcome = { state: 'failed', note: 'The artifact is gone.' };

const renderCheck = (outcomes: PlanOutcome[], more: Partial<Review> = {}) =>
  renderReview(
    aReview(
      outcomes.map((outcome, i) => aPlan(outcome, { key: `${i}.json` })),
      more,
    ),
  ).check;

function parseMachineResult(text: string): MachineResult {
  const [, json = ''] = /^```json\n(.*)\n```\n$/.exec(text) ?? [];
  return JSON.parse(json) as MachineResult;
}

describe('the check of a pull request', () => {
  test('has no conclusion while a plan is pending, whatever the others are', () => {
    expect(renderCheck([HIGH, { state: 'waiting' }], { fail_on: 'low' })).toMatchObject({
      conclusion: null,
      title: 'High risk: 1 to delete, 1 to update; waiting for 1 plan',
    });
    expect(renderCheck([])).toMatchObject({ conclusion: null, title: 'No result' });
  });

  test('fails at the configured level, and never by default', () => {
    expect(renderCheck([HIGH], { fail_on: 'high' }).conclusion).toBe('failure');
    expect(renderCheck([HIGH], { fail_on: 'critical' }).conclusion).toBe('success');
    expect(renderCheck([HIGH]).conclusion).toBe('success');
  });

  test('fails if a rule blocks, even next to a failed plan', () => {
    const analysis = anAnalysis([aChange('a.b')]);
    analysis.risk.blocked = true;

    expect(renderCheck([analyzed(analysis), FAILED])).toMatchObject({
      conclusion: 'failure',
      title: 'High risk, blocked by a rule: 1 to update; 1 plan not analyzed',
    });
  });

  test('requires action if a plan was not analyzed with the rules of the organization', () => {
    const later = { state: 'deferred', analysis: anAnalysis([]), note: 'Later.', due_at: null } as const;

    expect(renderCheck([HIGH, FAILED]).conclusion).toBe('action_required');
    expect(renderCheck([{ ...later, by: 'builtin_rules' }])).toMatchObject({
      conclusion: 'action_required',
      title: 'No risk: no changes; 1 plan analyzed with built-in rules only',
    });
    expect(renderCheck([{ ...later, by: 'organization_rules' }])).toMatchObject({
      conclusion: 'success',
      title: 'No risk: no changes',
    });
  });

  test('is neutral if no plan was analyzed for this commit', () => {
    const older = renderReview(aReview([aPlan(HIGH, { head_sha: OLDER })])).check;

    expect(older).toMatchObject({
      conclusion: 'neutral',
      title: 'High risk: for an older commit; 1 to delete, 1 to update',
    });
  });

  test('lists destroyed resources for programs, in the format of the schema', () => {
    const { text } = renderCheck([HIGH, FAILED, { state: 'waiting' }]);
    const result = parseMachineResult(text);

    expect(validate(result)).toBe(true);
    expect(result).toMatchObject({ schema_version: 1, risk_level: 'high', blocked: false, plans_total: 3 });
    expect(result.plans[0]).toMatchObject({
      key: '0.json',
      state: 'analyzed',
      counts: { total: 2, update: 1, delete: 1 },
      destroyed: ['aws_db_instance.a'],
      destroyed_total: 1,
      destroyed_truncated: false,
      noise: { known_benign: 0, suppressed: 0, novel: 2 },
    });
    expect(result.plans[1]).toMatchObject({ state: 'failed', level: null, counts: null, noise: null });
  });

  test('reports truncation and escapes hidden characters in addresses', () => {
    const name = `aws_x.y["\u202e\u{e0041}\`\`\`${'漢'.repeat(200)}"]`;
    const changes = Array.from({ length: 500 }, (_, i) => aReplace(`${name}${i}`));
    const { text } = renderCheck([analyzed(anAnalysis(changes)), HIGH]);
    const [first] = parseMachineResult(text).plans;

    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_000);
    expect(text).not.toMatch(/[\p{Cf}]/u);
    expect(first).toMatchObject({ destroyed_total: 500, destroyed_truncated: true });
    expect(first?.destroyed[0]).toBe(`${name}0`);
  });

  test('lists some of too many plans and counts all of them', () => {
    const result = parseMachineResult(renderCheck(Array.from({ length: 2000 }, () => HIGH)).text);

    expect(validate(result)).toBe(true);
    expect(result).toMatchObject({ plans_total: 2000, plans_truncated: true });
    expect(result.plans.length).toBeGreaterThan(50);
  });
});
