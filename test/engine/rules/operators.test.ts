import { describe, expect, test } from '@jest/globals';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import type { JsonValue } from '../../../engine/model/result.ts';
import type { RawChange } from '../../../engine/plan/types.ts';
import { createSelector, OPERATORS, type Operator, type Predicate } from '../../../engine/rules/index.ts';
import { makeChange, RUN } from './changes.ts';

/** The path at which a condition matches, or undefined. */
function findPath(predicate: Predicate, change: ResourceChange): string | null | undefined {
  return createSelector([{ match: {}, when: [predicate] }], RUN)(change)[0]?.path;
}

function holds(predicate: Predicate, change: Partial<RawChange>): boolean {
  return findPath(predicate, makeChange(change)) !== undefined;
}

/** An operator with its value, a pair of values that it matches, and a pair that it does not match. */
type Sides = [before: JsonValue, after: JsonValue];
type Row = [rest: Omit<Predicate, 'path'>, yes: Sides, no: Sides];

const ROWS: Row[] = [
  [{ op: 'exists' }, [null, 0], [1, null]],
  [{ op: 'exists', on: 'before' }, [false, null], [null, 1]],
  [{ op: 'exists', on: 'either' }, ['', null], [null, null]],
  [{ op: 'absent' }, [1, null], [null, false]],
  [{ op: 'absent', on: 'before' }, [null, 1], [1, null]],
  [{ op: 'absent', on: 'either' }, [null, 1], [1, 2]],
  [{ op: 'changed' }, [1, 2], [1, 1]],
  [
    { op: 'changed' },
    [
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ],
    [{ a: 1 }, { a: 1 }],
  ],
  [
    { op: 'changed' },
    [
      [1, 2],
      [2, 1],
    ],
    [
      [1, 2],
      [1, 2],
    ],
  ],
  [{ op: 'unchanged' }, [1, 1], [1, 2]],
  [{ op: 'eq', value: 443 }, [null, '443'], [null, '0443x']],
  [{ op: 'eq', value: '443' }, [null, 443], [null, 44]],
  [{ op: 'eq', value: true }, [null, true], [null, 'true']],
  [{ op: 'eq', value: '1.10' }, [null, '1.10'], [null, '1.1']],
  [{ op: 'eq', value: { a: [1, { b: '2' }] } }, [null, { a: ['1', { b: 2 }] }], [null, { a: [1, { b: 2, c: 3 }] }]],
  [{ op: 'eq', value: [1, 2] }, [null, [1, 2]], [null, [2, 1]]],
  [{ op: 'eq', value: {} }, [null, {}], [null, []]],
  [{ op: 'eq', value: 'a', on: 'before' }, ['a', 'b'], ['b', 'a']],
  [{ op: 'eq', value: 'a', on: 'either' }, ['a', null], ['b', 'c']],
  [{ op: 'ne', value: 'a' }, ['a', 'b'], ['b', 'a']],
  [{ op: 'ne', value: 1 }, [null, '2'], [null, '1']],
  [{ op: 'in', values: ['a', 2] }, [null, '2'], [null, 'b']],
  [{ op: 'not_in', values: ['a', 2] }, [null, 'b'], [null, 2]],
  [{ op: 'gt', value: 10 }, [null, '10.5'], [null, 10]],
  [{ op: 'gte', value: '10' }, [null, 10], [null, 9.9]],
  [{ op: 'lt', value: 10 }, [null, '-3'], [null, 10]],
  [{ op: 'lte', value: 10 }, [null, 10], [null, 'ten']],
  [{ op: 'increased' }, ['9', 10], [10, 9]],
  [{ op: 'increased' }, [1, 2], [null, 2]],
  [{ op: 'decreased' }, [10, '9'], ['9', '10']],
  [{ op: 'matches', value: '^db-[a-z]+$' }, [null, 'db-main'], [null, 'db-7']],
  [{ op: 'matches', value: '42' }, [null, 1423], [null, [42]]],
  [{ op: 'contains', value: 'corp' }, [null, 'a.corp.example'], [null, 'corner']],
  [{ op: 'contains', value: '22' }, [null, [21, 22]], [null, [221]]],
  [{ op: 'contains', value: 'Owner' }, [null, { Owner: 'x' }], [null, { Name: 'Owner' }]],
  [
    { op: 'added' },
    [['a'], ['b', 'a']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ],
  [{ op: 'added' }, [null, { a: 1 }], [{ a: 1 }, { a: 2 }]],
  [
    { op: 'added', value: { port: '22' } },
    [[{ port: 80 }], [{ port: 22 }]],
    [[{ port: 22 }], [{ port: 22 }, { port: 80 }]],
  ],
  [{ op: 'added', value: 'x' }, [[], ['x']], ['', 'x']],
  [{ op: 'removed' }, [['a', 'b'], ['b']], [['a'], ['a', 'b']]],
  [{ op: 'removed', value: 'Owner' }, [{ Owner: 'a', Name: 'b' }, { Name: 'b' }], [{ Owner: 'a' }, { Owner: 'b' }]],
  [{ op: 'removed', value: 'a' }, [['a'], null], [['b'], null]],
  [{ op: 'became', value: [false, true] }, [false, true], [null, true]],
  [{ op: 'became', value: ['*', true] }, [null, true], [true, true]],
  [{ op: 'became', value: ['on', '*'] }, ['on', 'off'], ['on', null]],
  [{ op: 'became', value: ['on', null] }, ['on', null], ['on', 'off']],
  [{ op: 'became', value: ['*', '*'] }, [1, 2], [1, '1']],
  [{ op: 'cidr_includes', value: '10.1.2.3' }, [null, ['192.0.2.0/24', '10.0.0.0/8']], [null, '10.1.2.4']],
  [{ op: 'cidr_includes', value: '2001:db8::/48' }, [null, '2001:db8::/32'], [null, ['0.0.0.0/0', '2001:db8::/64']]],
  [{ op: 'cidr_wider_than', value: 24 }, [null, ['10.0.0.0/24', '10.0.0.0/23']], [null, '10.0.0.0/24']],
  [{ op: 'cidr_wider_than', value: '10.0.0.0/24' }, [null, '192.0.2.0/20'], [null, ['2001:db8::/20', 'x']]],
  [{ op: 'length_gt', value: 1 }, [null, ['a', 'b']], [null, 'a']],
  [{ op: 'length_gt', value: 1 }, [null, { a: 1, b: 2 }], [null, 22]],
  [{ op: 'length_lt', value: 2 }, [null, ''], [null, 'ab']],
  [{ op: 'length_lt', value: 2 }, [null, []], [null, 1]],
];

describe('an operator', () => {
  test.each(ROWS)('%j matches %j and not %j', (rest, [before, after], no) => {
    const predicate = { path: 'x', ...rest };

    expect(findPath(predicate, makeChange({ before: { x: before, o: 1 }, after: { x: after, o: 2 } }))).toBe('x');
    expect(holds(predicate, { before: { x: no[0], o: 1 }, after: { x: no[1], o: 2 } })).toBe(false);
  });

  test.each(ROWS)('%j is inverted by negate', (rest, [before, after], no) => {
    const predicate = { path: 'x', ...rest, negate: true };

    expect(holds(predicate, { before: { x: before, o: 1 }, after: { x: after, o: 2 } })).toBe(false);
    expect(holds(predicate, { before: { x: no[0], o: 1 }, after: { x: no[1], o: 2 } })).toBe(true);
  });

  test('is in the table above or has its own test', () => {
    const tested = new Set<string>([...ROWS.map(([{ op }]) => op), 'is_unknown', 'is_sensitive']);

    expect(OPERATORS.filter((op) => !tested.has(op))).toEqual([]);
  });
});

/** Comparisons that match every tested value. */
const EAGER: Omit<Predicate, 'path'>[] = [
  { op: 'eq', value: 'hunter22' },
  { op: 'ne', value: 'other' },
  { op: 'in', values: ['hunter22'] },
  { op: 'not_in', values: ['other'] },
  { op: 'gt', value: 0 },
  { op: 'gte', value: 0 },
  { op: 'lt', value: 10_000_000 },
  { op: 'lte', value: 10_000_000 },
  { op: 'increased' },
  { op: 'decreased' },
  { op: 'matches', value: 'h|1|2' },
  { op: 'contains', value: 'hunter' },
  { op: 'contains', value: 'hunter22' },
  { op: 'added' },
  { op: 'removed' },
  { op: 'became', value: ['*', '*'] },
  { op: 'cidr_includes', value: '10.1.2.3' },
  { op: 'cidr_wider_than', value: 32 },
  { op: 'length_gt', value: 0 },
  { op: 'length_lt', value: 1000 },
].flatMap((predicate) => [predicate, { ...predicate, on: 'either' }]) as Omit<Predicate, 'path'>[];

const VALUES: Sides[] = [
  ['hunter11', 'hunter22'],
  [2_000_000, 1_000_000],
  [1_000_000, 2_000_000],
  [['hunter11'], ['hunter22']],
  [[], ['10.0.0.0/8']],
];

describe('a value that is marked sensitive', () => {
  test.each(EAGER)('would match %j if it were not sensitive', (rest) => {
    const held = VALUES.filter(([before, after]) =>
      holds({ path: 'x', ...rest }, { before: { x: before }, after: { x: after } }),
    );

    expect(held).not.toEqual([]);
  });

  test.each(EAGER)('is not compared: %j', (rest) => {
    for (const [before, after] of VALUES) {
      const sides = { before: { x: before }, after: { x: after } };

      expect(holds({ path: 'x', ...rest }, { ...sides, after_sensitive: { x: true } })).toBe(false);
      expect(holds({ path: 'x', ...rest }, { ...sides, before_sensitive: { x: true } })).toBe(false);
      expect(holds({ path: 'x', ...rest }, { ...sides, before_sensitive: true, after_sensitive: true })).toBe(false);
    }
  });

  test.each(EAGER)('is not compared as part of another value: %j', (rest) => {
    const sides = { before: { x: ['a', 'hunter11'] }, after: { x: ['b', 'hunter22'] } };

    expect(holds({ path: 'x', ...rest }, { ...sides, after_sensitive: { x: [false, true] } })).toBe(false);
  });

  test.each(EAGER)('is not compared if only its name indicates a secret: %j', (rest) => {
    for (const [before, after] of VALUES.slice(0, 4)) {
      const sides = { before: { db_password: before }, after: { db_password: after } };

      expect(holds({ path: 'db_password', ...rest }, sides)).toBe(false);
      expect(holds({ path: '*', ...rest }, sides)).toBe(false);
    }
  });

  test('is not compared if the name next to it indicates a secret', () => {
    const sides = {
      before: { environment: [{ name: 'DB_PASSWORD', value: 'hunter11' }] },
      after: { environment: [{ name: 'DB_PASSWORD', value: 'hunter22' }] },
    };

    expect(holds({ path: 'environment[0].value', op: 'matches', value: '^h' }, sides)).toBe(false);
    expect(holds({ path: 'environment[*].value', op: 'matches', value: '^h' }, sides)).toBe(false);
    expect(
      holds({ path: 'environment', op: 'contains', value: { name: 'DB_PASSWORD', value: 'hunter22' } }, sides),
    ).toBe(false);
    expect(holds({ path: 'environment[*].name', op: 'eq', value: 'DB_PASSWORD' }, sides)).toBe(true);
  });

  test('is not compared if the same text is marked elsewhere in the change', () => {
    const change = {
      before: { secret_value: 'hunter11', note: 'a' },
      after: { secret_value: 'hunter22', note: 'it is hunter22' },
      after_sensitive: { secret_value: true },
    };

    expect(holds({ path: 'note', op: 'contains', value: 'hunter22' }, change)).toBe(false);
  });

  test('matches operators for existence, change and sensitivity', () => {
    const change = { before: { x: 'hunter11' }, after: { x: 'hunter22' }, after_sensitive: { x: true } };
    const isMet = (op: Operator, on: 'before' | 'after' = 'after') => holds({ path: 'x', op, on }, change);

    expect([isMet('exists'), isMet('absent'), isMet('changed'), isMet('unchanged')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([isMet('is_sensitive'), isMet('is_sensitive', 'before')]).toEqual([true, false]);
    expect(holds({ path: 'api_token', op: 'is_sensitive' }, { before: null, after: { api_token: 'abcdef' } })).toBe(
      true,
    );
    expect(holds({ path: 'name', op: 'is_sensitive' }, { before: null, after: { name: 'abcdef' } })).toBe(false);
  });

  test('does not reveal its keys', () => {
    const change = makeChange({ before: {}, after: { x: { hunter22: 1 } }, after_sensitive: { x: true } });

    expect(findPath({ path: 'x.hunter22', op: 'exists' }, change)).toBe('x');
    expect(findPath({ path: 'x.other', op: 'exists' }, change)).toBe('x');
    expect(findPath({ path: 'x.*', op: 'exists' }, change)).toBe('x');
  });
});

describe('a value that is unknown until apply', () => {
  test.each(EAGER)('is not compared: %j', (rest) => {
    for (const [before] of VALUES) {
      const change = { before: { x: before }, after: {}, after_unknown: { x: true } };

      expect(holds({ path: 'x', ...rest, on: 'after' }, change)).toBe(false);
    }
  });

  test('matches is_unknown and changed, but neither exists nor absent', () => {
    const change = { before: { x: 1 }, after: {}, after_unknown: { x: true } };
    const isMet = (op: Operator) => holds({ path: 'x', op }, change);

    expect([isMet('is_unknown'), isMet('changed'), isMet('unchanged')]).toEqual([true, true, false]);
    expect([isMet('exists'), isMet('absent')]).toEqual([false, false]);
    expect(holds({ path: 'x', op: 'is_unknown' }, { before: { x: 1 }, after: { x: 2 } })).toBe(false);
  });

  test('allows tests of its old value', () => {
    const change = { before: { x: { a: 1 } }, after: {}, after_unknown: { x: true } };

    expect(holds({ path: 'x.a', op: 'eq', value: 1, on: 'before' }, change)).toBe(true);
    expect(holds({ path: 'x.a', op: 'changed' }, change)).toBe(true);
  });

  test('allows tests of known items in the same list', () => {
    const change = { before: { x: ['a'] }, after: { x: ['b', null] }, after_unknown: { x: [false, true] } };

    expect(holds({ path: 'x', op: 'contains', value: 'b' }, change)).toBe(true);
    expect(holds({ path: 'x', op: 'added', value: 'b' }, change)).toBe(true);
    expect(holds({ path: 'x', op: 'removed', value: 'a' }, change)).toBe(false);
    expect(holds({ path: 'x', op: 'eq', value: ['b', null] }, change)).toBe(false);
    expect(holds({ path: 'x[1]', op: 'is_unknown' }, change)).toBe(true);
  });

  test('keeps its key in a map', () => {
    const change = { before: { x: { a: 1 } }, after: { x: {} }, after_unknown: { x: { a: true, b: true } } };

    expect(holds({ path: 'x', op: 'removed' }, change)).toBe(false);
    expect(holds({ path: 'x', op: 'added', value: 'b' }, change)).toBe(true);
  });
});

describe('a path', () => {
  const change = makeChange({
    before: { ingress: [{ port: 80, cidr_blocks: ['10.0.0.0/8'] }], tags: { 'team.name': 'a', Owner: 'b' } },
    after: {
      ingress: [
        { port: 80, cidr_blocks: ['10.0.0.0/8'] },
        { port: 22, cidr_blocks: ['10.0.0.0/8', '0.0.0.0/0'] },
      ],
      tags: { 'team.name': 'c', Owner: 'b' },
    },
  });

  test.each<[Predicate, string | null | undefined]>([
    [{ path: 'ingress[*].port', op: 'eq', value: 22 }, 'ingress[1].port'],
    [{ path: 'ingress[*].cidr_blocks[*]', op: 'eq', value: '0.0.0.0/0' }, 'ingress[1].cidr_blocks[1]'],
    [{ path: 'ingress.*.cidr_blocks', op: 'cidr_wider_than', value: 8 }, 'ingress[1].cidr_blocks'],
    [{ path: 'ingress[0].port', op: 'eq', value: 22 }, undefined],
    [{ path: 'tags["team.name"]', op: 'changed' }, 'tags["team.name"]'],
    [{ path: 'tags.*', op: 'changed' }, 'tags["team.name"]'],
    [{ path: 'tags["team.*"]', op: 'changed' }, 'tags["team.name"]'],
    [{ path: 'tags.Own??', op: 'unchanged' }, 'tags.Owner'],
    [{ path: 'tags.*', op: 'eq', value: 'z' }, undefined],
    [{ path: 'tags.*', op: 'eq', value: 'z', negate: true }, null],
    [{ path: 'tags.Owner', op: 'eq', value: 'z', negate: true }, 'tags.Owner'],
    [{ path: 'tags.Missing', op: 'absent' }, 'tags.Missing'],
    [{ path: 'ingress', op: 'added' }, 'ingress'],
    [{ path: 'nothing[*].here', op: 'absent' }, undefined],
  ])('%j matches at %j', (predicate, path) => {
    expect(findPath(predicate, change)).toBe(path);
  });

  test('with several conditions requires all, or one with `any`, and returns the first match', () => {
    const when: Predicate[] = [
      { path: 'tags.Owner', op: 'changed' },
      { path: 'ingress', op: 'changed' },
      { path: 'tags', op: 'changed' },
    ];
    const select = (rule: { when: Predicate[]; when_mode?: 'all' | 'any' }) =>
      createSelector([{ match: {}, ...rule }], RUN)(change).map(({ path }) => path);

    expect(select({ when })).toEqual([]);
    expect(select({ when, when_mode: 'any' })).toEqual(['ingress']);
    expect(select({ when: when.slice(1) })).toEqual(['ingress']);
    expect(select({ when: [] })).toEqual([null]);
  });

  test('includes both sides of a create and a delete', () => {
    const created = { actions: ['create'], before: null, after: { x: 1 } };
    const deleted = { actions: ['delete'], before: { x: 1 }, after: null };

    expect(holds({ path: 'x', op: 'absent', on: 'before' }, created)).toBe(true);
    expect(holds({ path: 'x', op: 'changed' }, created)).toBe(true);
    expect(holds({ path: 'x', op: 'absent' }, deleted)).toBe(true);
    expect(holds({ path: 'x', op: 'eq', value: 1, on: 'either' }, deleted)).toBe(true);
  });

  test('finds no members that the plan does not contain', () => {
    expect(holds({ path: 'constructor', op: 'exists' }, { before: {}, after: {} })).toBe(false);
    expect(holds({ path: 'x.length', op: 'exists' }, { before: { x: [] }, after: { x: [1] } })).toBe(false);
  });
});
