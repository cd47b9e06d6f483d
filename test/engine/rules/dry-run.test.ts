import { describe, expect, test } from '@jest/globals';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import type { Change } from '../../../engine/model/result.ts';
import { createSelector, dryRun, type Predicate, reviveChange } from '../../../engine/rules/index.ts';
import { makeChange, RUN, storeChange } from './changes.ts';

const NOISE = { version: 1, match: {}, severity: 'harmless' } as const;
const RISK = { version: 1, match: {}, effect: 'raise', level: 'high', message: 'Look twice.' } as const;

function holds(predicate: Predicate, change: ResourceChange): boolean {
  return createSelector([{ match: {}, when: [predicate] }], RUN)(change).length === 1;
}

describe('a change rebuilt from a stored result', () => {
  const raw = {
    before: {
      size: 1,
      gone: 'x',
      list: ['a', 'b'],
      order: [1, 2],
      password: 'hunter11',
      marked: { a: 'p' },
      tags: { 'a.b': 'c' },
      same: 1,
    },
    after: {
      size: 2,
      list: ['a', 'c'],
      order: [2, 1],
      password: 'hunter22',
      marked: { a: 'q' },
      tags: { 'a.b': 'd' },
      same: 1,
    },
    after_unknown: { arn: true },
    after_sensitive: { marked: true },
  };
  const change = makeChange(raw);

  test.each<[Predicate, boolean]>([
    [{ path: 'size', op: 'increased' }, true],
    [{ path: 'gone', op: 'absent' }, true],
    [{ path: 'gone', op: 'eq', value: 'x', on: 'before' }, true],
    [{ path: 'list[1]', op: 'became', value: ['b', 'c'] }, true],
    [{ path: 'list', op: 'added', value: 'c' }, true],
    [{ path: 'order', op: 'changed' }, true],
    [{ path: 'order[0]', op: 'changed' }, false],
    [{ path: 'order', op: 'eq', value: [2, 1] }, true],
    [{ path: 'tags["a.b"]', op: 'eq', value: 'd' }, true],
    [{ path: 'arn', op: 'is_unknown' }, true],
    [{ path: 'password', op: 'is_sensitive' }, true],
    [{ path: 'password', op: 'exists' }, true],
    [{ path: 'password', op: 'changed' }, true],
    [{ path: 'password', op: 'ne', value: 'x' }, false],
    [{ path: 'marked', op: 'is_sensitive' }, true],
    [{ path: 'marked', op: 'is_sensitive', on: 'before' }, false],
    [{ path: 'marked', op: 'ne', value: 'x', on: 'before' }, false],
    [{ path: 'marked.a', op: 'exists' }, true],
  ])('matches %j as in its plan: %s', (predicate, met) => {
    expect(holds(predicate, change)).toBe(met);
    expect(holds(predicate, reviveChange(storeChange(raw)))).toBe(met);
  });

  test('contains no unchanged attributes', () => {
    expect(holds({ path: 'same', op: 'exists' }, reviveChange(storeChange(raw)))).toBe(false);
    expect(holds({ path: 'same', op: 'unchanged' }, reviveChange(storeChange(raw)))).toBe(true);
  });

  test('has the sides of its action', () => {
    const created = storeChange({ actions: ['create'], before: null, after: { a: 1 } });
    const deleted = storeChange({ actions: ['delete'], before: { a: 1 }, after: null });

    expect(reviveChange(created)).toMatchObject({ before: null, after: { a: 1 } });
    expect(reviveChange(deleted)).toMatchObject({ before: { a: 1 }, after: null });
  });

  test('accepts a key named like a prototype and ignores an excessive index', () => {
    const stored = storeChange(raw);
    const [diff] = stored.attributes;
    const odd = [['__proto__', 'x'], ['list', 4_000_000_000], ['size', 'below'], []].map((path_segments) => ({
      ...(diff as Change['attributes'][number]),
      path_segments,
    }));

    const revived = reviveChange({ ...stored, attributes: [...stored.attributes, ...odd] });

    expect(Object.keys(revived.after ?? {})).toContain('__proto__');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect(revived.after).toMatchObject({ size: 2, list: [undefined, 'c'] });
  });
});

describe('a dry run', () => {
  const grown = storeChange({ before: { count: 1 }, after: { count: 2 } }, { name: 'grown' });
  const renamed = storeChange({ before: { count: 1, name: 'a' }, after: { count: 2, name: 'b' } }, { name: 'renamed' });
  const created = storeChange({ actions: ['create'], before: null, after: { count: 2 } }, { name: 'created' });
  const changes = [grown, renamed, created];

  test('of a risk rule lists matching changes and paths', () => {
    const config = { ...RISK, when: [{ path: 'count', op: 'gt' as const, value: 1 }] };

    expect(dryRun(changes, { rule_type: 'risk', config }, RUN)).toEqual({
      matches: ['grown', 'renamed', 'created'].map((name) => ({ address: `aws_thing.${name}`, path: 'count' })),
      match_count: 3,
      total_changes: 3,
    });
  });

  test('of a noise rule lists updates that it covers completely, or partly with `any`', () => {
    const config = { ...NOISE, attributes: ['count'] };
    const addresses = (mode: 'only' | 'any') =>
      dryRun(changes, { rule_type: 'noise', config: { ...config, attributes_mode: mode } }, RUN).matches;

    expect(addresses('only')).toEqual([{ address: 'aws_thing.grown', path: 'count' }]);
    expect(addresses('any').map(({ address }) => address)).toEqual(['aws_thing.grown', 'aws_thing.renamed']);
  });

  test('of a noise rule without attributes lists every update', () => {
    expect(dryRun(changes, { rule_type: 'noise', config: NOISE }, RUN).matches).toEqual([
      { address: 'aws_thing.grown', path: null },
      { address: 'aws_thing.renamed', path: null },
    ]);
  });

  test('counts all matches and lists five hundred', () => {
    const result = dryRun(new Array(600).fill(grown), { rule_type: 'risk', config: RISK }, RUN);

    expect([result.matches.length, result.match_count, result.total_changes]).toEqual([500, 600, 600]);
  });

  test('uses the repository and branch of the analysis', () => {
    const config = { ...RISK, match: { branches: ['main'] } };

    expect(dryRun(changes, { rule_type: 'risk', config }, RUN).match_count).toBe(0);
    expect(dryRun(changes, { rule_type: 'risk', config }, { ...RUN, branch: 'main' }).match_count).toBe(3);
  });
});
