import { describe, expect, test } from '@jest/globals';
import { readToolOutput } from '../../bench/score/tool-output.ts';

describe('the output of a tool', () => {
  test.each([
    ['high', 'high'],
    ['HIGH\n', 'high'],
    ['read 12 changes\n\nCritical\r\n\n', 'critical'],
    ['  none  ', 'none'],
    ['{"level": "Medium"}', 'medium'],
    ['\n{"level":"low","score":3}\n', 'low'],
  ])('%j is the level %s', (stdout, level) => {
    expect(readToolOutput(stdout)).toEqual({ level, refusal: null, changes: null });
  });

  test.each([
    ['', 'it printed nothing'],
    ['\n \n', 'it printed nothing'],
    ['high risk', 'its last line is no level: "high risk"'],
    ['high\ndone', 'its last line is no level: "done"'],
    ['{"level": ', 'it printed invalid JSON'],
    ['{"risk": "high"}', 'it printed JSON of another form: "level"'],
    ['{"level": "severe"}', 'it printed JSON of another form: "level"'],
    ['{"level": 3}', 'it printed JSON of another form: "level"'],
    ['{"level": "low", "changes": {}}', 'it printed JSON of another form: "changes"'],
    ['{"level": "low", "changes": [{"address": "a"}]}', 'it printed JSON of another form: "changes.0.level"'],
    ['{"level":"low","changes":[{"address":"a","level":"low","noise":"x"}]}', 'another form: "changes.0.noise"'],
    ['{"risk_level": "low"}', 'it printed JSON of another form: "changes"'],
  ])('%j is a refusal', (stdout, refusal) => {
    const rating = readToolOutput(stdout);

    expect(rating).toMatchObject({ level: null, changes: null });
    expect(rating.refusal).toContain(refusal);
  });

  test('may rate changes, with or without noise', () => {
    const changes = [
      { address: 'a', level: 'LOW', noise: 'benign' },
      { address: 'b', level: 'high' },
    ];

    const rating = readToolOutput(JSON.stringify({ level: 'high', changes }));

    expect([...(rating.changes ?? [])]).toEqual([
      ['a', { level: 'low', noise: 'benign' }],
      ['b', { level: 'high', noise: null }],
    ]);
  });

  test('counts the higher level of an address that is listed twice', () => {
    const changes = ['low', 'high', 'medium'].map((level) => ({ address: 'a', level }));

    const rating = readToolOutput(JSON.stringify({ level: 'high', changes }));

    expect(rating.changes?.get('a')).toEqual({ level: 'high', noise: null });
  });

  test('may have the form of dpa analyze', () => {
    const changes = ['novel', 'known_benign', 'suppressed'].map((classification, at) => ({
      ...{ address: `r.${at}`, risk: { level: 'low', reasons: [] } },
      noise: { classification },
    }));

    const rating = readToolOutput(JSON.stringify({ schema_version: 1, risk_level: 'medium', changes }));

    expect(rating.level).toBe('medium');
    expect([...(rating.changes ?? [])].map(([, { noise }]) => noise)).toEqual(['novel', 'benign', 'benign']);
  });
});
