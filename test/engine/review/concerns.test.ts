import { describe, expect, test } from '@jest/globals';
import { shouldFail } from '../../../cli/src/exit-codes.ts';
import { type Concern, renderReview } from '../../../engine/index.ts';
import type { PlanAnalysis, RiskLevel } from '../../../engine/model/result.ts';
import { renderText } from '../../../engine/render/text.ts';
import { aChange, anAnalysis, HOSTILE_NAMES } from '../render/builders.ts';
import { analyzed, aPlan, aReview } from './builders.ts';

const CONCERN: Concern = {
  address: 'aws_cloudwatch_metric_alarm.errors',
  path: 'evaluation_periods',
  category: 'silenced_alarm',
  level: 'high',
  sentence: 'Errors have to last a day before anyone learns of them.',
  before: 1,
  after: 24,
};

function analysisWith(concerns: Concern[], check_level?: RiskLevel): PlanAnalysis {
  const analysis = anAnalysis([aChange(CONCERN.address, { level: 'low' })]);
  const risk = check_level === undefined ? analysis.risk : { ...analysis.risk, check_level };
  return { ...analysis, risk, concerns };
}

const render = (analysis: PlanAnalysis, fail_on: RiskLevel | null = 'high') =>
  renderReview(aReview([aPlan(analyzed(analysis))], { fail_on }));
const findSection = (comment: string) =>
  /\*\*Concerns of the language model[\s\S]*?(?=\n\n\||\n\n<details>)/.exec(comment)?.[0];

describe('a concern in the comment', () => {
  test('is shown apart from the table, with its category, level, sentence and value', () => {
    const { comment } = render(analysisWith([CONCERN]));

    expect(findSection(comment)).toBe(
      [
        '**Concerns of the language model.** These come from a language model, not from rules. The risk level does not include them.',
        '',
        '- 🟠\u00a0**Silenced alarm, high:** `aws_cloudwatch_metric_alarm.errors`. Errors have to last a day before anyone learns of them. (`evaluation_periods`: `1` → `24`)',
      ].join('\n'),
    );
    expect(comment).toContain('Plan review: **low risk**');
    expect(comment.split('\n').filter((line) => line.startsWith('| '))).not.toContainEqual(
      expect.stringContaining('learns of them'),
    );
  });

  test('is absent without concerns, and its appearance changes the hash', () => {
    const without = render(anAnalysis([aChange(CONCERN.address, { level: 'low' })]));

    expect(without.comment).not.toContain('oncern');
    expect(render(analysisWith([CONCERN])).hash).not.toBe(without.hash);
    expect(render(analysisWith([CONCERN])).risk_level).toBe(without.risk_level);
  });

  test.each(HOSTILE_NAMES)('with the name %j is inert', (hostile) => {
    const concern = { ...CONCERN, address: hostile, path: hostile, before: hostile, after: hostile };
    const plain = render(analysisWith([{ ...CONCERN, address: 'a', path: 'b', before: 'c', after: 'd' }]));
    const section = findSection(render(analysisWith([concern])).comment) ?? '';

    expect(section.split('\n')).toHaveLength((findSection(plain.comment) ?? '').split('\n').length);
    expect(section.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, 'code')).not.toMatch(/[<>[\]]|@\w|:\/\/|\p{Cc}(?<!\n)/u);
  });
});

describe('a concern and the check', () => {
  test('does not fail the check unless it counts', () => {
    expect(render(analysisWith([CONCERN])).check).toMatchObject({
      conclusion: 'success',
      title: 'Low risk: 1 to update',
    });
  });

  test('fails the check if it counts, and title, comment and JSON say why', () => {
    const { comment, check, risk_level } = render(analysisWith([CONCERN], 'high'));

    expect(check).toMatchObject({
      conclusion: 'failure',
      title: 'Low risk: a concern of the language model counts as high; 1 to update',
    });
    expect(comment).toContain(
      '> **A concern of the language model counts as high risk here, as the organization has chosen.**',
    );
    expect(check.text).toContain('"level":"low","check_level":"high"');
    expect(risk_level).toBe('low');
  });

  test('that counts does not fail a check whose limit it does not reach', () => {
    expect(render(analysisWith([CONCERN], 'high'), 'critical').check.conclusion).toBe('success');
    expect(render(analysisWith([CONCERN], 'high'), null).check.conclusion).toBe('success');
  });
});

describe('a concern in the terminal', () => {
  test('has its own section, and the verdict stays', () => {
    const text = renderText(analysisWith([CONCERN]), { color: false, top: 20 });

    expect(text.split('\n').slice(0, 8)).toEqual([
      'LOW RISK  1 change: 1 to update',
      '',
      'Concerns of the language model (1)',
      '  These come from a language model, not from rules. The risk level does not include them.',
      '  - Silenced alarm, high: aws_cloudwatch_metric_alarm.errors',
      '      Errors have to last a day before anyone learns of them.',
      '      evaluation_periods: 1 -> 24',
      '',
    ]);
  });

  test('that counts is named below the verdict, and reaches --fail-on', () => {
    const counting = analysisWith([CONCERN], 'high');

    expect(renderText(counting, { color: false, top: 20 })).toMatch(
      /^LOW RISK .*\n {2}! A concern of the language model counts as high risk here, as the organization has chosen\.\n/,
    );
    expect([shouldFail(counting, 'high'), shouldFail(counting, 'critical'), shouldFail(counting, undefined)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(shouldFail(analysisWith([CONCERN]), 'medium')).toBe(false);
  });
});
