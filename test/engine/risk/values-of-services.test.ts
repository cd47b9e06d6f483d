import { expect, test } from '@jest/globals';
import { judgeGrade } from '../../../engine/risk/meaning/values/grades.ts';
import type { Argument } from '../../../engine/risk/meaning/values/index.ts';
import { judgeMailPolicy } from '../../../engine/risk/meaning/values/mail-policies.ts';
import { judgeNotified } from '../../../engine/risk/meaning/values/notified.ts';

const anArgument = (name: string, type: string, before: string, after: string): Argument =>
  ({ words: new Set(name.split('_')), type: new Set(type.split('_')), before, after }) as unknown as Argument;

test.each([
  ['{{#is_alert}}@pagerduty-a{{/is_alert}}', '{{#is_recovery}}@pagerduty-a{{/is_recovery}}', 'high'],
  ['{{#is_alert}}@pagerduty-a @slack-a{{/is_alert}}', '@slack-a {{^is_alert}}@pagerduty-a{{/is_alert}}', 'medium'],
  ['{{#is_alert}}@pagerduty-a{{/is_alert}}', '{{#is_alert}}See runbook. @pagerduty-a{{/is_alert}}', undefined],
  ['{{#is_warning}}@slack-a{{/is_warning}}', '{{#is_warning}}Nothing{{/is_warning}}', undefined],
])('a monitor that says %s and then %s is %s', (before, after, level) => {
  expect(judgeNotified(anArgument('message', 'monitor', before, after))?.level).toBe(level);
});

test('mail policies that let others send are weaker', () => {
  const judgeText = (before: string, after: string) =>
    judgeMailPolicy(anArgument('content', 'record', before, after))?.level;

  expect(judgeText('v=spf1 include:a.example -all', 'v=spf1 include:a.example +all')).toBe('high');
  expect(judgeText('v=spf1 -all', '"v=spf1 ~all"')).toBe('medium');
  expect(judgeText('v=spf1 -all', 'v=spf1 include:b.example -all')).toBeUndefined();
  expect(judgeText('v=DMARC1; p=reject', 'v=DMARC1; p=none; pct=10')).toBe('high');
});

test('a lower bound that is a numbered grade is weaker if it falls', () => {
  const judgeMinimum = (before: string, after: string) =>
    judgeGrade(anArgument('min_assurance', 'binding', before, after))?.direction;

  expect(judgeMinimum('AAL3', 'AAL1')).toBe('weakening');
  expect(judgeMinimum('AAL1', 'AAL2')).toBe('strengthening');
  expect(judgeMinimum('AAL3', 'LOA1')).toBeUndefined();
});
