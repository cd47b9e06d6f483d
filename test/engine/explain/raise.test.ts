import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addExplanation, applyProposals } from '../../../engine/explain/index.ts';
import { analyzePlan, compareLevels, RISK_LEVELS } from '../../../engine/index.ts';
import { aChange, aDelete, anAnalysis, aReason } from '../render/builders.ts';
import { read } from './model.ts';
import { buildPlan, GRAVE } from './plans.ts';

const proposal = (address: string, level: (typeof RISK_LEVELS)[number]) => ({
  address,
  level,
  reason: 'Others use it.',
});

describe('a proposed level', () => {
  test('raises a change by one level, not by two', () => {
    const analysis = anAnalysis([aChange('a.b', { level: 'low' })], {}, { headline: 'low: 1 to update' });

    const raised = applyProposals(analysis, [proposal('a.b', 'critical')], null);

    expect(raised.changes[0]?.risk).toMatchObject({
      level: 'medium',
      deterministic_level: 'low',
      raised_by: 'llm',
      reasons: [
        {
          rule_id: 'R-LLM',
          kind: 'llm',
          effect: 'raise',
          level: 'medium',
          path: null,
          message: 'Raised by the language model: Others use it.',
        },
        { rule_id: 'R-TEST' },
      ],
    });
    expect(raised).toMatchObject({
      risk_level: 'medium',
      risk: { deterministic_level: 'low', llm_level: 'medium' },
      summary: { headline: 'medium: 1 to update' },
    });
    expect(analysis.changes[0]?.risk.level).toBe('low');
  });

  test('moves the change to its new rank and updates the counts', () => {
    const analysis = analyzePlan(buildPlan(GRAVE));
    const { address, risk } = analysis.changes[2]!;

    const raised = applyProposals(analysis, [proposal(address, 'critical')], null);

    expect(raised.summary.by_risk[risk.level]).toBe(analysis.summary.by_risk[risk.level] - 1);
    expect(Object.values(raised.summary.by_risk).reduce((a, b) => a + b)).toBe(3);
    const levels = raised.changes.map((change) => change.risk.level);
    expect(levels).toEqual(levels.toSorted((a, b) => compareLevels(b, a)));
  });

  test.each([
    ['lower', 'aws_db_instance.main', 'none'],
    ['the same', 'aws_db_instance.main', 'critical'],
    ['of another plan', 'aws_db_instance.other', 'critical'],
  ] as const)('that is %s changes nothing', (_, address, level) => {
    const analysis = analyzePlan(buildPlan(GRAVE));

    const raised = applyProposals(analysis, [proposal(address, level)], { level: 'none', reason: 'x' });

    expect(raised.changes).toEqual(analysis.changes);
    expect({ ...raised, risk: { ...raised.risk, llm_level: null } }).toEqual(analysis);
  });

  test('does not change a level that a policy has set', () => {
    const change = aChange('a.b', { level: 'low' });
    change.risk.reasons.push(aReason('Policy "x": y', { kind: 'policy', effect: 'set', level: 'low' }));

    expect(applyProposals(anAnalysis([change]), [proposal('a.b', 'high')], null).changes).toEqual([change]);
  });

  test('is subject to the policy', () => {
    const analysis = anAnalysis([aChange('a.b', { level: 'low' }), aChange('a.c', { level: 'low' })]);
    const policy = aReason('Policy "x": y', { kind: 'policy', effect: 'cap', level: 'low' });

    const raised = applyProposals(
      analysis,
      [proposal('a.b', 'medium'), proposal('a.c', 'medium')],
      null,
      ({ address }, level) => (address === 'a.b' ? { level: 'low', reasons: [policy] } : { level, reasons: [] }),
    );

    expect(raised.changes.map(({ address, risk }) => [address, risk.level])).toEqual([
      ['a.c', 'medium'],
      ['a.b', 'low'],
    ]);
  });

  test('counts for escalations over all changes', () => {
    const changes = Array.from({ length: 6 }, (_, i) => aDelete(`aws_sns_topic.a${i}`, { level: 'medium' }));
    const proposals = changes.map(({ address }) => proposal(address, 'high'));

    const raised = applyProposals(anAnalysis(changes), proposals, null);

    expect(raised.risk_level).toBe('critical');
    expect(raised.risk.escalations.map(({ rule_id }) => rule_id)).toEqual(['R-BLAST-MASS']);
    expect(applyProposals(anAnalysis(changes), [], null).risk.escalations).toEqual([]);
  });

  test('for the whole plan adds one level and its reason at the end', () => {
    const analysis = anAnalysis([aChange('a.b', { level: 'low' })]);

    const raised = applyProposals(analysis, [proposal('a.b', 'high')], {
      level: 'critical',
      reason: 'It all depends.',
    });

    expect(raised.risk_level).toBe('high');
    expect(raised.risk.escalations).toMatchObject([{ rule_id: 'R-LLM', level: 'high' }]);
    expect(applyProposals(anAnalysis([]), [], { level: 'critical', reason: 'x' }).risk_level).toBe('none');
  });

  test('never lowers a level and never raises a change by more than one level', () => {
    const level = fc.constantFrom(...RISK_LEVELS);
    fc.assert(
      fc.property(fc.array(fc.tuple(level, level), { maxLength: 8 }), level, (pairs, overallLevel) => {
        const analysis = anAnalysis(
          pairs
            .map(([own], i) => aDelete(`a.b${i}`, { level: own, id: `chg_${i}` }))
            .toSorted((a, b) => compareLevels(b.risk.level, a.risk.level)),
        );
        const proposals = pairs.map(([, proposed], i) => proposal(`a.b${i}`, proposed));

        const raised = applyProposals(analysis, proposals, { level: overallLevel, reason: 'x' });

        expect(compareLevels(raised.risk_level, analysis.risk_level)).toBeGreaterThanOrEqual(0);
        for (const { id, risk } of raised.changes) {
          const before = analysis.changes.find((change) => change.id === id)!.risk;
          expect([0, 1]).toContain(compareLevels(risk.level, before.level));
          expect(risk.deterministic_level).toBe(before.deterministic_level);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the final narrative', () => {
  const analysis = analyzePlan(buildPlan(GRAVE));

  test('keeps every fact and contains the explanation', () => {
    const reading = read(analysis, {
      what_will_happen: 'The database goes and a port is opened.',
      why_it_matters: 'Its data is gone.',
      what_to_check: ['Check that `aws_db_instance.main` has a snapshot.'],
      notes: [{ address: 'aws_db_instance.main', note: 'Its engine is not known.' }],
      proposals: [],
    });

    const text = addExplanation(applyProposals(analysis, reading.proposals, reading.overall), reading).narrative;
    const lines = text.split('\n\n');

    expect(lines[0]).toBe('**Risk: CRITICAL.** 3 changes: 1 to delete, 2 to update.');
    expect(lines[1]).toMatch(
      /^Most important:\n- `aws_db_instance.main`: delete, critical\. .* Its engine is not known\.\n/,
    );
    expect(lines.slice(3, 5)).toEqual(['The database goes and a port is opened.', 'Its data is gone.']);
    expect(lines[5]).toMatch(/^Before approving:\n- Check that `aws_security_group.web` is meant to be that open\.\n/);
    expect(lines[5]).toMatch(/\n- Check that `aws_db_instance.main` has a snapshot\.$/);
    expect(lines.at(-1)).toMatch(/a language model wrote the explanation/);
    expect(text).not.toContain('without a language model');
  });

  test('states what a model raised, and that a model raised it', () => {
    const lowRisk = anAnalysis([aChange('a.b', { level: 'low' })]);
    const reading = read(lowRisk, {
      proposals: [{ address: 'a.b', level: 'medium', reason: 'Others read from `a.b`.' }],
    });

    const text = addExplanation(applyProposals(lowRisk, reading.proposals, reading.overall), reading).narrative;

    expect(text).toContain('**Risk: MEDIUM.**');
    expect(text).toContain('- `a.b`: update, medium. It matters. Raised by the language model: Others read from a.b.');
  });

  test('keeps facts that only the analysis contains', () => {
    const unknown = analyzePlan(
      buildPlan([{ address: 'aws_sns_topic.a', after: {}, before: {}, after_unknown: { policy: true } }]),
    );
    const reading = read(unknown, {});

    expect(unknown.narrative).toContain('Not evaluated: 1 resource.');
    expect(addExplanation(unknown, reading).narrative).toContain('Not evaluated: 1 resource.');
  });

  test('stays within its length limit', () => {
    const long = Array.from({ length: 9 }, (_, i) => aDelete(`aws_x.${'<'.repeat(900)}${i}`, { level: 'critical' }));
    const plan = anAnalysis(long);
    plan.risk.block_reasons = plan.risk.escalations = Array(30).fill(aReason('&'.repeat(900)));
    const sentence = `The queue waits ${'and waits '.repeat(20)}longer.`;
    const reading = read(plan, {
      what_will_happen: `${sentence} `.repeat(20),
      why_it_matters: `${sentence} `.repeat(20),
      what_to_check: Array(9).fill(sentence),
      notes: long.map(({ address }) => ({ address, note: sentence })),
    });

    const text = addExplanation(plan, reading).narrative;

    expect(text.length).toBeLessThanOrEqual(6_000);
    expect(text).toMatch(/^\*\*Risk: CRITICAL\.\*\*/);
  });
});
