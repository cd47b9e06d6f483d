import { describe, expect, test } from '@jest/globals';
import { type DiffInput, diffValues } from '../../../engine/changes/diff.ts';
import { toPlainDiff } from '../../../engine/changes/path-node.ts';
import type { JsonValue } from '../../../engine/model/result.ts';

const NO_MASKS = { unknown: {}, before_sensitive: {}, after_sensitive: {}, replace_paths: [] };

function diff(before: JsonValue, after: JsonValue, masks: Partial<DiffInput> = {}) {
  return diffValues({ before, after, ...NO_MASKS, ...masks }).map(toPlainDiff);
}

/** Returns `[path, op, before, after]` of each diff. */
function summarizeDiffs(before: JsonValue, after: JsonValue, masks: Partial<DiffInput> = {}) {
  return diff(before, after, masks).map((d) => [d.path, d.op, d.before, d.after]);
}

describe('the diffs of two objects', () => {
  test('have every field of the contract', () => {
    expect(diff({ engine: '13.4', same: 1 }, { engine: '15.2', same: 1 }, { replace_paths: [['engine']] })).toEqual([
      {
        path: 'engine',
        path_segments: ['engine'],
        op: 'update',
        before: '13.4',
        after: '15.2',
        before_sensitive: false,
        after_sensitive: false,
        after_unknown: false,
        forces_replacement: true,
        direction: 'neutral',
        noise: 'novel',
        truncated: false,
      },
    ]);
  });

  test.each<[string, JsonValue, JsonValue, unknown[]]>([
    ['include a nested leaf', { a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }, [['a.b[0].c', 'update', 1, 2]]],
    ['add a value that was null', { a: null }, { a: 'x' }, [['a', 'add', null, 'x']]],
    ['remove a value that becomes null', { a: 'x' }, { a: null }, [['a', 'remove', 'x', null]]],
    [
      'add and remove absent keys',
      { t: { a: 1 } },
      { t: { b: 2 } },
      [
        ['t.b', 'add', null, 2],
        ['t.a', 'remove', 1, null],
      ],
    ],
    ['distinguish null from an empty list', { a: null }, { a: [] }, [['a', 'add', null, []]]],
    ['distinguish an empty list from null', { a: [] }, { a: null }, [['a', 'remove', [], null]]],
    ['distinguish null from an empty string', { a: null }, { a: '' }, [['a', 'add', null, '']]],
    ['ignore absent members that become null or empty', { a: 1 }, { a: 1, b: null, c: {}, d: [] }, []],
    ['distinguish a number from its string', { a: 1 }, { a: '1' }, [['a', 'update', 1, '1']]],
    ['distinguish false from null', { a: false }, { a: null }, [['a', 'remove', false, null]]],
    ['list a new map by its leaves', { a: null }, { a: { b: 1, c: null } }, [['a.b', 'add', null, 1]]],
    ['list a removed list by its leaves', { a: [{ b: 1 }] }, { a: null }, [['a[0].b', 'remove', 1, null]]],
    ['list a new empty block as a whole', { a: null }, { a: [{}] }, [['a', 'add', null, [{}]]]],
    ['list an empty block that is added to an empty list', { a: [] }, { a: [{}] }, [['a', 'update', [], [{}]]]],
    [
      'list an empty block that is removed from a list',
      { a: [{ b: 1 }, {}] },
      { a: [{ b: 1 }] },
      [['a', 'update', [{ b: 1 }, {}], [{ b: 1 }]]],
    ],
    ['replace a string with an object', { a: 'x' }, { a: { b: 1 } }, [['a', 'update', 'x', { b: 1 }]]],
    ['replace an object with a list', { a: { b: 1 } }, { a: [1] }, [['a', 'update', { b: 1 }, [1]]]],
  ])('%s', (_, before, after, expected) => {
    expect(summarizeDiffs(before, after)).toEqual(expected);
  });

  test('of a create include every leaf with a value', () => {
    const after = { a: 1, b: null, c: [], d: {}, e: { f: [false, ''] }, g: [{}] };

    expect(summarizeDiffs(null, after)).toEqual([
      ['a', 'add', null, 1],
      ['e.f[0]', 'add', null, false],
      ['e.f[1]', 'add', null, ''],
    ]);
  });

  test('of a delete include every leaf with a value', () => {
    expect(summarizeDiffs({ a: 1, b: null, c: [{ d: 'x', e: [] }] }, null)).toEqual([
      ['a', 'remove', 1, null],
      ['c[0].d', 'remove', 'x', null],
    ]);
  });

  test('are in the order of after, then those only in before, then those only unknown', () => {
    const paths = summarizeDiffs({ gone: 1, b: 1, a: 1 }, { a: 2, b: 2 }, { unknown: { later: true, gone: true } });

    expect(paths.map(([path]) => path)).toEqual(['a', 'b', 'gone', 'later']);
  });
});

describe('the diffs of two lists', () => {
  test.each<[string, JsonValue, JsonValue, unknown[]]>([
    ['compare items by index', ['a', 'b'], ['a', 'c'], [['l[1]', 'update', 'b', 'c']]],
    [
      'add the items of a longer list',
      ['a'],
      ['a', 'b', 'c'],
      [
        ['l[1]', 'add', null, 'b'],
        ['l[2]', 'add', null, 'c'],
      ],
    ],
    ['remove the items of a shorter list', ['a', 'b'], ['a'], [['l[1]', 'remove', 'b', null]]],
    [
      'are one reorder for the same items in a different order',
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      [['l', 'reorder', ['a', 'b', 'c'], ['c', 'a', 'b']]],
    ],
    [
      'are updates when items occur a different number of times',
      ['a', 'a', 'b'],
      ['b', 'b', 'a'],
      [
        ['l[0]', 'update', 'a', 'b'],
        ['l[1]', 'update', 'a', 'b'],
        ['l[2]', 'update', 'b', 'a'],
      ],
    ],
    [
      'ignore the order of object members',
      [{ a: 1, b: [2] }, 3],
      [3, { b: [2], a: 1 }],
      [['l', 'reorder', [{ a: 1, b: [2] }, 3], [3, { b: [2], a: 1 }]]],
    ],
    [
      'distinguish a string from the same number',
      [1, '1', 2],
      ['1', 1, 3],
      [
        ['l[0]', 'update', 1, '1'],
        ['l[1]', 'update', '1', 1],
        ['l[2]', 'update', 2, 3],
      ],
    ],
    [
      'include a reorder of a nested list',
      [{ x: ['a', 'b'] }],
      [{ x: ['b', 'a'] }],
      [['l[0].x', 'reorder', ['a', 'b'], ['b', 'a']]],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(summarizeDiffs({ l: before }, { l: after })).toEqual(expected);
  });

  test('contain no reorder when a list is partly unknown', () => {
    expect(
      summarizeDiffs({ l: ['a', 'b', 'c'] }, { l: ['b', 'a', null] }, { unknown: { l: [false, false, true] } }),
    ).toEqual([
      ['l[0]', 'update', 'a', 'b'],
      ['l[1]', 'update', 'b', 'a'],
      ['l[2]', 'update', 'c', null],
    ]);
  });

  test('mark a reorder with one sensitive item as sensitive on both sides', () => {
    const masks = { before_sensitive: { l: [true, false] }, after_sensitive: { l: [false, true] } };

    expect(diff({ l: ['s', 'a'] }, { l: ['a', 's'] }, masks)).toMatchObject([
      { path: 'l', op: 'reorder', before_sensitive: true, after_sensitive: true },
    ]);
  });
});

describe('the diffs of unknown values', () => {
  test('have no after and are flagged as unknown', () => {
    expect(diff({ arn: 'old' }, {}, { unknown: { arn: true } })).toMatchObject([
      { path: 'arn', op: 'update', before: 'old', after: null, after_unknown: true },
    ]);
    expect(diff(null, { a: 1 }, { unknown: { id: true } })).toMatchObject([
      { path: 'a', after_unknown: false },
      { path: 'id', op: 'add', before: null, after: null, after_unknown: true },
    ]);
  });

  test('include known keys next to an unknown one', () => {
    const unknown = { l: [{ id: true }], same: {}, t: { x: false } };

    const paths = summarizeDiffs(
      { l: [{ id: 'i', n: 1 }], same: { a: 1 }, t: { x: 1 } },
      { l: [{ n: 1 }], same: { a: 1 }, t: { x: 1 } },
      { unknown },
    );

    expect(paths).toEqual([['l[0].id', 'update', 'i', null]]);
  });

  test('are one diff for an object that is unknown as a whole', () => {
    expect(summarizeDiffs({ o: { a: 1, b: 2 } }, {}, { unknown: { o: true } })).toEqual([
      ['o', 'update', { a: 1, b: 2 }, null],
    ]);
  });

  test('include an appended item that is unknown', () => {
    expect(diff({ l: ['a'] }, { l: ['a', null] }, { unknown: { l: [false, true] } })).toMatchObject([
      { path: 'l[1]', op: 'add', after_unknown: true },
    ]);
  });

  test('are one diff for an object with only unknown members', () => {
    expect(diff({ o: { a: 1 } }, {}, { unknown: { o: { a: true } } })).toMatchObject([
      { path: 'o', after_unknown: true },
    ]);
  });
});

describe('the diffs of sensitive values', () => {
  test('are updates only when the values differ', () => {
    const masks = { before_sensitive: { p: true, q: true }, after_sensitive: { p: true, q: true } };

    expect(diff({ p: 'one', q: 'same' }, { p: 'two', q: 'same' }, masks)).toMatchObject([
      { path: 'p', op: 'update', before_sensitive: true, after_sensitive: true },
    ]);
  });

  test('do not expose the keys of an object that is sensitive as a whole', () => {
    const diffs = diff(
      { data: { user: 'a' } },
      { data: { user: 'b', other: 'c' } },
      { after_sensitive: { data: true } },
    );

    expect(diffs.map((d) => d.path)).toEqual(['data']);
    expect(diffs).toMatchObject([{ before_sensitive: false, after_sensitive: true }]);
  });

  test('are empty when only the masks change', () => {
    expect(
      summarizeDiffs({ a: 1, b: { c: 2 } }, { a: 1, b: { c: 2 } }, { after_sensitive: { a: true, b: { c: true } } }),
    ).toEqual([]);
  });

  test('carry the marks of list items to their leaves', () => {
    const masks = { after_sensitive: { l: [{}, { key: true }] } };

    expect(diff({ l: [] }, { l: [{ key: 'a' }, { key: 'b', n: 1 }] }, masks)).toMatchObject([
      { path: 'l[0].key', after_sensitive: false },
      { path: 'l[1].key', after_sensitive: true },
      { path: 'l[1].n', after_sensitive: false },
    ]);
  });

  test('are sensitive as a whole when the mask has a different shape than the value', () => {
    const masks = { before_sensitive: { a: [true] }, after_sensitive: { a: [true] } };

    expect(diff({ a: { k: 'x' } }, { a: { k: 'y' } }, masks)).toMatchObject([
      { path: 'a', before_sensitive: true, after_sensitive: true },
    ]);
  });

  test('are sensitive when a mask with members marks a string', () => {
    expect(diff({ a: 'x' }, { a: 'y' }, { after_sensitive: { a: { k: true } } })).toMatchObject([
      { before_sensitive: false, after_sensitive: true },
    ]);
  });

  test('are one diff when a whole side is sensitive', () => {
    expect(diff({ a: 1 }, { a: 2 }, { before_sensitive: true, after_sensitive: true })).toMatchObject([
      { path: '', before_sensitive: true, after_sensitive: true },
    ]);
  });
});

describe('a replace path', () => {
  test.each<[(string | number)[], string[]]>([
    [['a'], ['a.x', 'a.y[0]']],
    [['a', 'x'], ['a.x']],
    [['a', 'y', 0, 'deeper'], ['a.y[0]']],
    [['a', 'y', '0'], []],
    [['z'], []],
  ])('%j marks the diffs %j', (replace_path, expected) => {
    const diffs = diff({ a: { x: 1, y: [1] } }, { a: { x: 2, y: [2] } }, { replace_paths: [replace_path] });

    expect(diffs.filter((d) => d.forces_replacement).map((d) => d.path)).toEqual(expected);
  });
});

describe('diffs of hostile input', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('treat %s as an ordinary key', (key) => {
    const empty: JsonValue = JSON.parse('{"tags":{}}');
    const full: JsonValue = JSON.parse(`{"tags":{"${key}":"x"}}`);

    expect(summarizeDiffs(empty, full)).toEqual([[`tags.${key}`, 'add', null, 'x']]);
    expect(summarizeDiffs(full, empty)).toEqual([[`tags.${key}`, 'remove', 'x', null]]);
    expect(summarizeDiffs(full, full)).toEqual([]);
    expect(diff(empty, full, { after_sensitive: JSON.parse(`{"tags":{"${key}":true}}`) })).toMatchObject([
      { after_sensitive: true },
    ]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('are one diff for nesting beyond the limit instead of a stack overflow', () => {
    const nest = (leaf: number): JsonValue => JSON.parse(`${'['.repeat(5000)}${leaf}${']'.repeat(5000)}`);

    expect(diff({ a: nest(1) }, { a: nest(2) })).toHaveLength(1);
  });
});

describe('a list of plain values', () => {
  const numbers = (count: number, value: number) => Array.from({ length: count }, () => value);

  test.each<[string, JsonValue, JsonValue, string]>([
    ['in which more than 10,000 differ is one diff', { a: numbers(10_001, 1) }, { a: numbers(10_001, 2) }, 'update'],
    ['with more than 10,000 new items is one diff', { a: null }, { a: numbers(10_001, 2) }, 'add'],
    ['with more than 10,000 removed items is one diff', { a: numbers(10_001, 1) }, {}, 'remove'],
  ])('%s', (_fact, before, after, op) => {
    const diffs = diff(before, after);

    expect(diffs.map((d) => [d.path, d.op])).toEqual([['a', op]]);
  });

  test('in which 10,000 differ has one diff for each item', () => {
    const diffs = diff({ a: [...numbers(10_000, 1), 0, 0] }, { a: [...numbers(10_000, 2), 0, 0] });

    expect(diffs).toHaveLength(10_000);
  });

  test('that also contains a list has one diff for each item', () => {
    const diffs = diff({ a: [...numbers(10_001, 1), [1]] }, { a: [...numbers(10_001, 2), [2]] });

    expect(diffs).toHaveLength(10_002);
    expect(diffs.at(-1)).toMatchObject({ path: 'a[10001][0]' });
  });
});
