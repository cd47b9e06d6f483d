import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { applyProposals, buildPrompt, type Proposal, undoProposals } from '../../../engine/explain/index.ts';
import { analyzePlan, type PlanAnalysis } from '../../../engine/index.ts';
import { buildPlan, type Entry, GRAVE } from './plans.ts';

const FOLDER = new URL('../../fixtures/plans/', import.meta.url);
const renderPrompt = (analysis: PlanAnalysis) => buildPrompt(analysis, { send_values: 'redacted' }).user;
const critical = (address: string): Proposal => ({ address, level: 'critical', reason: 'It is worse.' });
const everything = ({ changes }: PlanAnalysis) => changes.map(({ address }) => critical(address));
const every = (n: number) => (analysis: PlanAnalysis) => everything(analysis).filter((_, i) => i % n === 0);

const plans: [string, string][] = [
  ['a risky plan', buildPlan(GRAVE)],
  ['many low-risk deletions', buildPlan(deletions(20))],
  ...readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name): [string, string] => [name, readFileSync(new URL(name, FOLDER), 'utf8')]),
];

describe.each([
  ['all', everything],
  ['every second one of the', every(2)],
  ['the first of the', every(1_000_000)],
  ['no', () => []],
])('with %s changes raised', (_name, propose) => {
  test.each([null, { level: 'critical' as const, reason: 'All in all.' }])(
    'and the plan raised by %j, the original prompt is reconstructed',
    (overall) => {
      for (const [name, text] of plans) {
        const analysis = tryAnalyze(text);
        if (analysis === undefined) continue;
        const stored: PlanAnalysis = JSON.parse(JSON.stringify(applyProposals(analysis, propose(analysis), overall)));

        const same = renderPrompt(undoProposals(stored)) === renderPrompt(analysis);

        expect([name, same]).toEqual([name, true]);
      }
    },
  );
});

test('escalations caused by raised changes are removed', () => {
  const analysis = analyzePlan(buildPlan(deletions(20)));
  const raised = applyProposals(analysis, everything(analysis), null);

  expect(raised.risk.escalations.length).toBeGreaterThan(analysis.risk.escalations.length);
  expect(undoProposals(raised).risk.escalations).toEqual(analysis.risk.escalations);
});

test('the headline has its level from before the model again', () => {
  const analysis = analyzePlan(buildPlan(deletions(20)));

  expect(undoProposals(applyProposals(analysis, everything(analysis), null)).summary).toEqual(analysis.summary);
});

test('a policy reason added after the model is removed too', () => {
  const analysis = analyzePlan(buildPlan(GRAVE));
  const reason = {
    rule_id: 'P',
    kind: 'policy',
    effect: 'cap',
    level: 'high',
    path: null,
    message: 'Capped.',
  } as const;
  const raised = applyProposals(analysis, everything(analysis), null, (_, level) => ({ level, reasons: [reason] }));

  expect(renderPrompt(undoProposals(raised))).toBe(renderPrompt(analysis));
});

test('a result without a model is returned unchanged', () => {
  const analysis = analyzePlan(buildPlan(GRAVE));

  expect(undoProposals(analysis)).toBe(analysis);
});

/** Dashboards at level medium; raised by one level each, they escalate the plan to critical. */
function deletions(count: number): Entry[] {
  return Array.from({ length: count }, (_, i) => ({
    address: `aws_cloudwatch_dashboard.d${i}`,
    type: 'aws_cloudwatch_dashboard',
    actions: ['delete'],
    before: { dashboard_name: `d${i}` },
  }));
}

function tryAnalyze(text: string): PlanAnalysis | undefined {
  try {
    return analyzePlan(text);
  } catch {
    return undefined;
  }
}
