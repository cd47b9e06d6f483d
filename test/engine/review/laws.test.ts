import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readMark, renderReview } from '../../../engine/index.ts';
import type { PlanAnalysis, RiskLevel } from '../../../engine/model/result.ts';
import type { PlanOutcome, ReviewedPlan } from '../../../engine/review/types.ts';
import { aChange, aDelete, anAnalysis, aReplace } from '../render/builders.ts';
import { analyzed, aPlan, aReview } from './builders.ts';

const LEVELS: RiskLevel[] = ['low', 'medium', 'high', 'critical'];

const analysisArb: fc.Arbitrary<PlanAnalysis> = fc
  .record({
    name: fc.string({ unit: 'binary', maxLength: 400 }),
    destroyed: fc.nat({ max: 150 }),
    updated: fc.nat({ max: 100 }),
    drifted: fc.nat({ max: 60 }),
    level: fc.constantFrom(...LEVELS),
    narrative: fc.nat({ max: 6000 }),
  })
  .map(({ name, destroyed, updated, drifted, level, narrative }) => {
    const make = (i: number) => (i % 2 === 0 ? aDelete : aReplace)(`d${i}.${name}`, { level, type: name });
    const changes = [
      ...Array.from({ length: destroyed }, (_, i) => make(i)),
      ...Array.from({ length: updated }, (_, i) => aChange(`u${i}.${name}`, { level, type: name })),
    ];
    const resource_drift = Array.from({ length: drifted }, (_, i) => aChange(`r${i}.${name}`));
    const text = 'n'.repeat(narrative);
    return anAnalysis(changes, { resource_drift, narrative: text, risk_level: level }, { drift_detected: drifted });
  });

const outcomeArb: fc.Arbitrary<PlanOutcome> = fc.oneof(
  { weight: 6, arbitrary: analysisArb.map(analyzed) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((note): PlanOutcome => ({ state: 'failed', note })) },
  { weight: 1, arbitrary: fc.constant<PlanOutcome>({ state: 'waiting' }) },
);

const planArb: fc.Arbitrary<ReviewedPlan> = fc
  .tuple(outcomeArb, fc.string({ unit: 'binary', maxLength: 400 }))
  .map(([outcome, key]) => aPlan(outcome, { key }));

function countDestroyed(plans: readonly ReviewedPlan[]): number {
  return plans.reduce(
    (sum, { outcome }) => sum + ('analysis' in outcome ? outcome.analysis.summary.destructive : 0),
    0,
  );
}

function countReported(comment: string): number {
  const listed = comment.match(/^\| [^|]* \| \*\*(delete|replace)\*\*<br>/gm)?.length ?? 0;
  const counted = [...comment.matchAll(/(\d+) more destroyed or replaced/g)];
  return counted.reduce((sum, [, count]) => sum + Number(count), listed);
}

function assertWellFormed(plans: ReviewedPlan[]): void {
  const { comment, check } = renderReview(aReview(plans));

  expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(60_000);
  expect(Buffer.byteLength(check.summary)).toBeLessThanOrEqual(65_000);
  expect(Buffer.byteLength(check.text)).toBeLessThanOrEqual(65_000);
  expect(countReported(comment)).toBe(countDestroyed(plans));
  expect(readMark(comment)).not.toBeNull();
  expect(comment.match(/^<details><summary>/gm)?.length ?? 0).toBe(comment.match(/^<\/details>$/gm)?.length ?? 0);
}

describe('a comment for any plans', () => {
  test('fits, lists or counts each destroyed resource, and closes all sections', () => {
    fc.assert(fc.property(fc.array(planArb, { maxLength: 12 }), assertWellFormed), { numRuns: 30 });
  });

  test.each([1, 60, 1500])('counts what %i modules destroy', (modules) => {
    const changes = Array.from({ length: 40 }, (_, i) => aDelete(`aws_instance.worker[${i}]`));
    const outcome = analyzed(anAnalysis(changes));
    assertWellFormed(Array.from({ length: modules }, (_, i) => aPlan(outcome, { key: `stacks/${i}/plan.json` })));
  });

  test('lists as many failed plans as fit and counts the others', () => {
    const failed: PlanOutcome = { state: 'failed', note: 'x'.repeat(300) };
    const plans = Array.from({ length: 2000 }, (_, i) => aPlan(failed, { key: `stacks/${i}/plan.json` }));
    const { comment } = renderReview(aReview(plans));
    const listed = comment.match(/was not analyzed:/g)?.length ?? 0;

    expect(comment).toContain(`+ ${2000 - listed} more plans not analyzed`);
    assertWellFormed(plans);
  });

  test('fits for ten thousand changes', () => {
    const changes = Array.from({ length: 2000 }, (_, i) => aDelete(`module.fleet[${i}].aws_instance.worker`));
    const more = { changes_total: 10_000, changes_truncated: true };
    const plan = aPlan(analyzed(anAnalysis(changes, more, { delete: 5000, destructive: 5000, total: 10_000 })));

    assertWellFormed([plan]);
    expect(renderReview(aReview([plan])).comment).toContain('+ 5000 more changes of lower risk');
  });
});
