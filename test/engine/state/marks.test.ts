import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import { checkMask, countMarks, readPaths, withholdMasked, withholdPath } from '../../../engine/state/marks.ts';

const attr = (value: string) => ({ type: 'get_attr', value });
const index = (value: JsonValue, type: JsonValue) => ({ type: 'index', value: { value, type } });
const HIDDEN = '(sensitive)';

function withhold(attributes: JsonObject, ...paths: JsonValue[]) {
  const texts: string[] = [];
  for (const path of readPaths(paths)) withholdPath(attributes, path, (text) => texts.push(text));
  return { attributes, texts };
}

describe('a marked path', () => {
  test.each<[string, JsonObject, JsonValue, JsonObject]>([
    ['an attribute', { a: 's', b: 1 }, [attr('a')], { a: HIDDEN, b: 1 }],
    ['an item of a list', { a: ['x', 's'] }, [attr('a'), index(1, 'number')], { a: ['x', HIDDEN] }],
    [
      'an entry of a map',
      { a: { 'k.x': 's', y: 1 } },
      [attr('a'), index('k.x', 'string')],
      { a: { 'k.x': HIDDEN, y: 1 } },
    ],
    [
      'a member of a block',
      { a: [{ b: 's', c: 1 }] },
      [attr('a'), index(0, 'number'), attr('b')],
      { a: [{ b: HIDDEN, c: 1 }] },
    ],
    ['a whole object', { a: { b: ['s'] } }, [attr('a')], { a: HIDDEN }],
    ['a number', { a: 123456 }, [attr('a')], { a: HIDDEN }],
    ['null, which stays null', { a: null }, [attr('a')], { a: null }],
    ['an absent attribute', { b: 1 }, [attr('a')], { b: 1 }],
    [
      'an item of a set: the whole set',
      { a: [{ b: 's' }] },
      [attr('a'), index({ b: 's' }, ['object', { b: 'string' }]), attr('b')],
      { a: HIDDEN },
    ],
    ['an index beyond the list: the whole list', { a: ['s'] }, [attr('a'), index(5, 'number')], { a: HIDDEN }],
    ['a member below a text: the text', { a: 's' }, [attr('a'), attr('b')], { a: HIDDEN }],
    ['the length of a list: the whole list', { a: ['s'] }, [attr('a'), attr('length')], { a: HIDDEN }],
    [
      'a member of a value without a fixed type',
      { a: { value: { type: 's', b: 1 }, type: ['object', { type: 'string', b: 'number' }] } },
      [attr('a'), attr('type')],
      { a: { value: { type: HIDDEN, b: 1 }, type: ['object', { type: 'string', b: 'number' }] } },
    ],
    [
      'a member named value',
      { a: { value: 's', type: 'String' } },
      [attr('a'), attr('value')],
      { a: { value: HIDDEN, type: 'String' } },
    ],
  ])('withholds %s', (_what, attributes, path, expected) => {
    expect(withhold(attributes, path).attributes).toEqual(expected);
  });

  test('reports the texts that it withholds, once', () => {
    expect(withhold({ a: { b: ['s1', { c: 's2' }], d: 5 } }, [attr('a')], [attr('a'), attr('b')]).texts).toEqual([
      's1',
      's2',
    ]);
  });

  test.each([[['x']], [[[]]], [[[{ type: 'get_attr' }]]], [[[index(0, 'number')]]], ['x'], [{}]])(
    'that is no path is unreadable: %j',
    (paths) => {
      expect(() => readPaths(paths as JsonValue)).toThrow(/sensitive_attributes/);
    },
  );
});

describe('a mask', () => {
  test.each<[JsonValue, JsonObject, number]>([
    [{}, { a: 's', b: [{ c: 's' }] }, 0],
    [{ a: true }, { a: HIDDEN, b: [{ c: 's' }] }, 1],
    [{ b: [{ c: true }] }, { a: 's', b: [{ c: HIDDEN }] }, 1],
    [{ a: true, b: true }, { a: HIDDEN, b: HIDDEN }, 2],
    [{ b: { 0: { c: true } } }, { a: 's', b: HIDDEN }, 1],
    [{ b: [false], absent: true }, { a: 's', b: [{ c: 's' }] }, 1],
    [true, { a: HIDDEN, b: HIDDEN }, 1],
    [null, { a: 's', b: [{ c: 's' }] }, 0],
  ])('%j withholds what it marks', (mask, expected, marks) => {
    const attributes = { a: 's', b: [{ c: 's' }] };

    withholdMasked(attributes, checkMask(mask), () => undefined);

    expect(attributes).toEqual(expected);
    expect(countMarks(checkMask(mask))).toBe(marks);
  });
});
