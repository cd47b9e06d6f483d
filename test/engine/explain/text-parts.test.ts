import { expect, test } from '@jest/globals';
import { listTextParts } from '../../../engine/explain/text-parts.ts';

const part = (before: string, after: string) => ({ before, after });

test.each([
  [
    'query',
    'avg(last_5m):avg:queue.depth{env:prod} > 90',
    'avg(last_30m):avg:queue.depth{env:prod} > 900',
    [part('5m', '30m'), part('90', '900')],
  ],
  ['expr', 'rate(errors[5m]) > 0.05', 'rate(errors[5m]) < 0.05', [part('>', '<')]],
  ['condition', "env == 'prod' && team == 'a'", "env == 'prod' || team == 'a'", [part('&&', '||')]],
  ['filter', 'severity>=ERROR', 'severity>=ERROR', []],
])('%s: thresholds, windows and operators in which two queries differ are listed', (name, before, after, parts) => {
  expect(listTextParts(before, after, name)).toEqual(parts);
});

test.each([
  ['another word', 'query', 'env:prod > 9', 'env:test > 9'],
  ['another number of parts', 'query', 'a > 1', 'a > 1 and b > 2'],
  ['many differences', 'query', '1 2 3 4', '5 6 7 8'],
  ['an attribute that is no query', 'user_data', 'PIN=1234', 'PIN=9876'],
  ['no attribute', undefined, 'a > 1', 'a > 2'],
  ['a very long text', 'query', `${'a '.repeat(3_000)}1`, `${'a '.repeat(3_000)}2`],
])('nothing is listed for %s', (_what, name, before, after) => {
  expect(listTextParts(before, after, name)).toEqual([]);
});
