import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '../../../../../engine/index.ts';
import { compileMove } from '../../../../../engine/risk/attributes/moves/compile-move.ts';
import type { Move } from '../../../../../engine/risk/attributes/moves/index.ts';

const make = (move: Partial<Move>) => compileMove({ path: 'a', level: 'high', says: 'It breaks', ...move });

describe('a move', () => {
  test.each<[Partial<Move>, JsonValue, JsonValue]>([
    [{ to: ['off'] }, 'on', 'off'],
    [{ from: ['on'] }, 'on', 'half'],
    [{ from: ['on'], to: [null] }, 'on', null],
    [{ by: 'less' }, 10, 5],
    [{ by: 'less' }, '2h', '30m'],
    [{ by: 'more', factor: 10 }, 1, 10],
    [{ by: 'more', to: ['>100'] }, 90, 110],
    [{ by: 'loses' }, ['a', 'b'], ['b']],
    [{ by: 'loses', entries: ['~deny'] }, 'allow a\ndeny b', 'allow a'],
    [{ by: 'gains', entries: ['*', '0.0.0.0/0'] }, ['10.0.0.0/8'], ['10.0.0.0/8', '0.0.0.0/0']],
    [{ by: 'emptied' }, ['a'], []],
    [{}, 'x', 'y'],
  ])('%j applies to %j → %j, and the opposite strengthens', (move, before, after) => {
    expect(make(move).weakens(before, after)).toBe(true);
    expect(make(move).strengthens(before, after)).toBe(false || make(move).weakens(after, before));
    if (Object.keys(move).length > 0) expect(make(move).strengthens(after, before)).toBe(true);
  });

  test.each<[Partial<Move>, JsonValue, JsonValue]>([
    [{ to: ['off'] }, 'off', 'off'],
    [{ from: ['on'] }, 'half', 'off'],
    [{ by: 'less', factor: 3 }, 10, 5],
    [{ by: 'less' }, '10 GB', '5m'],
    [{ by: 'less' }, 'x', 5],
    [{ by: 'loses' }, ['a'], ['a', 'b']],
    [{ by: 'loses', entries: ['~deny'] }, 'allow a\ndeny b', 'deny b'],
    [{ by: 'emptied' }, [], []],
    [{}, 'x', 'x'],
    [{ by: 'loses' }, [{ name: 'a', order: 1 }], [{ name: 'a', order: 2 }]],
    [{}, null, []],
    [{}, undefined as unknown as JsonValue, 'x'],
  ])('%j does not apply to %j → %j', (move, before, after) => {
    expect(make(move).weakens(before, after)).toBe(false);
  });

  test('says nothing about the opposite of a one-way or routine move', () => {
    expect(make({ to: ['off'], one_way: true }).strengthens('off', 'on')).toBe(false);
    expect(make({ to: ['off'], level: 'low' }).strengthens('off', 'on')).toBe(false);
  });

  test('names the entry that comes or goes', () => {
    expect(make({ by: 'loses', entries: ['~deny'] }).findEntry('deny a\nb', 'b')).toBe('deny a');
    expect(make({ by: 'gains' }).findEntry(['a'], ['a', 'b'])).toBe('b');
    expect(make({ to: ['b'] }).findEntry('a', 'b')).toBeUndefined();
  });

  test('applies to a new resource only with a level for it', () => {
    expect(make({ to: ['off'] }).isMadeWith('off')).toBe(false);
    expect(make({ to: ['off'], create: 'medium' }).isMadeWith('off')).toBe(true);
    expect(make({ to: ['off'], create: 'medium' }).isMadeWith('on')).toBe(false);
  });
});
