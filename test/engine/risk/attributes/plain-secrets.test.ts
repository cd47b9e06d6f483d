import { describe, expect, test } from '@jest/globals';
import { judge } from './judging.ts';

/** Of the format of an access key; made up. */
const [KEY, OTHER] = ['AKIA', 'AKIA'].map((start, at) => `${start}Q3EGUXJ7ZBQ5TN${at === 0 ? 'KL' : 'MM'}`) as [
  string,
  string,
];
const script = (key: string, line: string) => ({ user_data: `export KEY=${key}\n${line}` });
const level = (before: object, after: object) =>
  judge('update', 'aws_instance', { before: { ...before }, after: { ...after } })['R-SEC-SECRETPLAIN'];

describe('a plain secret in a text', () => {
  test('gives no reason if it stood in the text before', () => {
    expect(level(script(KEY, 'echo a'), script(KEY, 'echo b'))).toBeUndefined();
  });

  test('is high if it is another one, or comes in addition', () => {
    expect(level(script(KEY, 'echo a'), script(OTHER, 'echo a'))).toBe('high');
    expect(level(script(KEY, 'echo a'), script(KEY, `export OTHER=${OTHER}`))).toBe('high');
  });

  test('is high if the text had none', () => {
    expect(level({ user_data: 'echo a' }, script(KEY, 'echo a'))).toBe('high');
    expect(level({}, script(KEY, 'echo a'))).toBe('high');
  });
});
