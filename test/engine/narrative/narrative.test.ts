import { describe, expect, test } from '@jest/globals';
import type { PlanAnalysis } from '../../../engine/model/result.ts';
import { listChecks, writeNarrative, writeWithoutChecks } from '../../../engine/narrative/narrative.ts';
import { aChange, aDelete, anAnalysis, aReason, HOSTILE_NAMES } from '../render/builders.ts';

const gapsNamed = (name: string): Pick<PlanAnalysis, 'not_evaluated'> => ({
  not_evaluated: {
    resources: [{ address: name, reason: 'known_after_apply', paths: [name], paths_total: 1 }],
    resources_total: 1,
    unknown_attributes: 1,
    values_withheld: false,
  },
});

describe('the checklist', () => {
  const analysis = anAnalysis([aDelete('aws_lb.a'), aDelete('aws_lb.b')]);
  const add = (...addresses: string[]) => ({
    ...analysis,
    explanation: { what_will_happen: '', why_it_matters: '', what_to_check: [{ text: 'Ask.', addresses }], notes: [] },
  });

  test('omits an item of rules if an item of the model names all of its resources', () => {
    expect(listChecks(add('aws_lb.a', 'aws_lb.b'))).toEqual(['Ask.']);
    expect(listChecks(add('aws_lb.a'))).toEqual([...listChecks(analysis), 'Ask.']);
  });

  test('is the only part that the narrative without it lacks', () => {
    const [item] = listChecks(analysis);

    expect(writeWithoutChecks(analysis)).toBe(writeNarrative(analysis).replace(`\n\nBefore approving:\n- ${item}`, ''));
  });
});

describe('the narrative written by rules', () => {
  test('omits empty parts', () => {
    expect(writeNarrative(anAnalysis([]))).toBe(
      '**Risk: NONE.** No changes.\n\nThis summary was written by rules, without a language model.',
    );
  });

  test('contains all parts in order', () => {
    const analysis = anAnalysis(
      [aDelete('aws_db_instance.main', { level: 'critical' }), aChange('aws_sns_topic.a', { level: 'low' })],
      {
        plan_noise: {
          known_benign: 1,
          novel: 1,
          suppressed: 1,
          total: 2,
          addresses: { known_benign: [], suppressed: [] },
        },
        checks: [
          { address: 'check.health', status: 'fail', problems: ['It must answer 200.'] },
          { address: 'check.later', status: 'unknown', problems: [] },
        ],
        not_evaluated: {
          resources: [
            {
              address: 'aws_iam_policy.ci',
              reason: 'known_after_apply',
              paths: ['policy', 'ingress[0].cidr_blocks', 'tags["a b"]', 'fourth'],
              paths_total: 9,
            },
            { address: 'aws_x.later', reason: 'deferred', paths: [], paths_total: 0 },
          ],
          resources_total: 8,
          unknown_attributes: 40,
          values_withheld: true,
        },
      },
      {
        checks: { pass: 3, fail: 2, error: 0, unknown: 1 },
        drift_detected: 2,
        deferred: 1,
        plan_errored: true,
        forget: 1,
        import: 1,
        total: 4,
      },
    );
    analysis.risk.escalations = [aReason('3 changes weaken security at level high or above.')];

    const text = writeNarrative({ ...analysis, fallback_reason: 'no model is configured' });

    expect(text.split('\n\n')).toEqual([
      '**Risk: CRITICAL.** 4 changes: 1 to delete, 1 to update, 1 to forget, 1 to import.',
      'Check check.health failed: It must answer 200.',
      '1 more check of the configuration did not pass.',
      'Most important:\n- `aws_db_instance.main`: delete, critical. It matters.',
      'The other 3 changes are of level low or none.',
      '3 changes weaken security at level high or above.',
      'Before approving:\n- Check that nothing uses `aws_db_instance.main`, or that an interruption is acceptable.\n' +
        '- Fix the error and plan again: this plan is incomplete.',
      '1 of 4 changes is known plan noise and can be ignored, 1 of them suppressed.',
      'Not evaluated: 8 resources and 1 check.\n' +
        '- `aws_iam_policy.ci`: `policy`, `ingress[0].cidr_blocks`, `tags["a b"]` and 6 more unknown until apply\n' +
        '- `aws_x.later`: deferred to a later plan\n' +
        '- `check.later`: result unknown until apply\n' +
        '- and 6 more',
      '2 resources changed outside of IaC since the last apply, none of which affects this plan.',
      'Planning ended with an error, so the plan does not show the changes after it.',
      '1 change is deferred to a later plan and could not be evaluated.',
      'This plan was exported without its values: rules that need them could not be applied.',
      'This summary was written by rules, without a language model: no model is configured.',
    ]);
  });

  test.each([
    [{ plan_errored: true }, 'R-PLAN-ERRORED', 'lanning ended with an error'],
    [{ deferred: 2 }, 'R-PLAN-DEFERRED', '2 changes are deferred'],
    [{ plan_complete: false }, 'R-PLAN-PARTIAL', 'he plan is partial'],
  ])('states once that the plan has %j, also if that escalates it', (counts, rule_id, words) => {
    const plain = anAnalysis([aChange('a.b')], {}, counts);
    const risk = { ...plain.risk, escalations: [{ ...aReason(`Escalated to high because t${words}.`), rule_id }] };

    expect(writeNarrative(plain).split(words)).toHaveLength(2);
    expect(writeNarrative({ ...plain, risk }).split(words)).toHaveLength(2);
  });

  test('lists three reversals of any level by name', () => {
    const undo = (kind: 'revert' | 'overwrite' | 'recreate', ...paths: string[]) => ({
      kind,
      paths,
      paths_total: paths.length,
    });
    const changes = [
      aChange('a.b', { reverts_drift: undo('revert', 'w', 'x', 'y', 'z') }),
      aChange('a.none', { level: 'none', reverts_drift: null }),
      aChange('a.c', { level: 'none', reverts_drift: undo('overwrite', 'tags["`"]') }),
      aChange('a.d', { level: 'none', reverts_drift: undo('recreate') }),
      aChange('a.e', { level: 'none', reverts_drift: undo('revert', 'x') }),
    ];

    const text = writeNarrative(anAnalysis(changes));

    expect(text.split('\n\n').slice(3, 7)).toEqual([
      'This apply reverts a change made outside of IaC: `a.b` (`w`, `x`, `y` and 1 more).',
      'This apply overwrites a change made outside of IaC: `a.c` (``tags["`"]``).',
      'This apply recreates a resource deleted outside of IaC: `a.d`.',
      'This apply undoes changes made outside of IaC to 1 more resource.',
    ]);
  });

  test.each([
    [1, 1, '1 resource changed outside of IaC since the last apply.'],
    [1, 0, '1 resource changed outside of IaC since the last apply, and does not affect this plan.'],
    [9, 1, '9 resources changed outside of IaC since the last apply, 1 of which affects this plan.'],
    [900, 500, '900 resources changed outside of IaC since the last apply, at least 500 of which affect this plan.'],
  ])('states both numbers if %d resources drifted and %d affect the plan', (drift_detected, listed, expected) => {
    const resource_drift = Array.from({ length: listed }, (_, i) => aChange(`a.d[${i}]`));
    const analysis = anAnalysis([], { resource_drift }, { drift_detected });

    expect(writeNarrative(analysis)).toContain(expected);
  });

  test('lists at most five changes of level medium or above', () => {
    const many = Array.from({ length: 8 }, (_, i) => aChange(`a.b[${i}]`, { level: 'medium' }));
    const text = writeNarrative(anAnalysis([...many, aChange('a.low', { level: 'low' })]));

    expect(text.match(/^- `/gm)).toHaveLength(5);
    expect(text).toContain('\n- and 3 more of level medium or above\n');
    expect(text).not.toContain('a.low');
  });

  test.each(HOSTILE_NAMES)('keeps the name %j inert', (name) => {
    const change = aDelete(name, { reverts_drift: { kind: 'revert', paths: [name], paths_total: 1 } });
    change.risk.reasons = [aReason(name)];
    const text = writeNarrative({ ...anAnalysis([change]), ...gapsNamed(name) });
    const outside = text.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '').replace(/\\./g, '');

    expect(outside).not.toMatch(/<|@[\w"]|:\/\/|!\[|\]\(/);
    expect(text.replace(/\n/g, '').replaceAll('\u200b', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(
      text
        .split('\n')
        .every(
          (line) =>
            line === '' ||
            /^(\*\*Risk|Most important:|Before approving:|- |This apply|Not evaluated|This summary)/.test(line),
        ),
    ).toBe(true);
  });

  test('stays within 6,000 characters and keeps its last lines, for names of any length', () => {
    const paths = Array.from({ length: 20 }, () => '`'.repeat(5000));
    const reverts_drift = { kind: 'revert' as const, paths, paths_total: 90 };
    const many = Array.from({ length: 9 }, () => aDelete('<'.repeat(5000), { reverts_drift }));
    for (const change of many) change.risk.reasons = [aReason('&'.repeat(5000))];
    const text = writeNarrative({ ...anAnalysis(many), ...gapsNamed('`'.repeat(900)) });

    expect(text.length).toBeLessThanOrEqual(6000);
    expect(text.endsWith('without a language model.')).toBe(true);
  });
});
