import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '../../../../../engine/index.ts';
import { compileTests, listEntries, type ValueTest } from '../../../../../engine/risk/attributes/moves/value-tests.ts';

describe('tests of values', () => {
  test.each<[ValueTest, JsonValue]>([
    [null, null],
    [null, ''],
    [null, []],
    ['*', 'x'],
    [true, 'true'],
    [true, true],
    [7, '7'],
    ['deny', 'Deny'],
    ['!deny', 'allow'],
    ['=*', '*'],
    ['=*', ['a', '*']],
    ['=~all', '~ALL'],
    ['<5', 4],
    ['<=5min', '300s'],
    ['<=5min', '5m'],
    ['<1', '500m'],
    ['>1Gi', '2048Mi'],
    ['>=90%', '90%'],
    ['>10', '11s'],
    ['~part', 'a PART of it'],
    ['^ab', 'abc'],
    ['$bc', 'abc'],
    ['deny', ['allow', 'deny']],
  ])('%j accepts %j', (check, value) => expect(compileTests([check])(value)).toBe(true));

  test.each<[ValueTest, JsonValue | undefined]>([
    ['*', null],
    ['*', undefined],
    [null, 0],
    [null, false],
    [true, false],
    ['!deny', 'DENY'],
    ['=*', 'a*'],
    ['=*', null],
    ['!deny', null],
    ['<5', 5],
    ['<5min', '9m'],
    ['<5min', '1Gi'],
    ['<5', 'many'],
    ['~part', 'whole'],
    ['deny', ['allow']],
    ['deny', { deny: 1 }],
  ])('%j rejects %j', (check, value) => expect(compileTests([check])(value)).toBe(false));

  test('a text has lines, a list items, and a map pairs', () => {
    expect(listEntries('a\n b, c')).toEqual(['a', 'b', 'c']);
    expect(listEntries(['a', 'b'])).toEqual(['a', 'b']);
    expect(listEntries([{ a: 1 }, 2])).toEqual(['{"a":1}', '2']);
    expect(listEntries({ a: 1, b: { c: 2 } })).toEqual(['a=1', 'b={"c":2}']);
    expect(listEntries(null)).toEqual([]);
  });
});
