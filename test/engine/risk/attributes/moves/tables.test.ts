import { describe, expect, test } from '@jest/globals';
import { compileMove } from '../../../../../engine/risk/attributes/moves/compile-move.ts';
import { findMoves, listMoves, type Move } from '../../../../../engine/risk/attributes/moves/index.ts';
import { MOVE_TABLES } from '../../../../../engine/risk/attributes/moves/tables.ts';
import { riskRules } from '../../../../../engine/risk/attributes/rule-catalog.ts';
import { isAttributeRule } from '../../../../../engine/risk/attributes/rule-ids.ts';

const MOVES = [...listMoves()];
const FIELDS = new Set('path from to by entries factor where level says create one_way'.split(' '));

function findProblems(move: Move): string[] {
  const { path, says, level, from, to, by, entries, factor, create } = move;
  const has_says = says !== undefined;
  return [
    Object.keys(move).every((field) => FIELDS.has(field)) || 'an unknown field',
    /^(?:[\w*@/-]+|\[[\w./-]+\])(?:\.(?:\{\}|[\w*@/-]+|\[[\w./-]+\]))*$/.test(path) ||
      'a path that is not names separated by dots',
    ['none', 'low', 'medium', 'high', 'critical'].includes(level) || 'no level',
    has_says === !['none', 'low'].includes(level) || 'a consequence is for levels from medium on, and only for them',
    !has_says ||
      /^[A-Z][^\n]{8,120}[^.\s]$/.test(says) ||
      'a consequence that is not a short sentence without its period',
    !path.includes('{}') ||
      !['none', 'low'].includes(level) ||
      'a routine move in a JSON text, which would hide other changes of the text',
    entries === undefined || by === 'loses' || by === 'gains' || 'entries without loses or gains',
    factor === undefined || by === 'less' || by === 'more' || 'a factor without less or more',
    create === undefined || to !== undefined || 'a level for new resources without `to`',
    [from, to, entries].every((tests) => tests === undefined || (Array.isArray(tests) && tests.length > 0)) ||
      'empty tests',
  ].filter((problem): problem is string => typeof problem === 'string');
}

describe('tables of moves', () => {
  test('every move has known fields, a level, and a consequence where it matters', () => {
    const problems = MOVES.flatMap(({ type, move }) =>
      findProblems(move).map((problem) => `${type} ${move.path}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  test('every test of a value can be compiled', () => {
    for (const { move } of MOVES) expect(() => compileMove(move)).not.toThrow();
  });

  test('a type stands in the table of its prefix', () => {
    for (const [prefix, tables] of Object.entries(MOVE_TABLES))
      for (const key of tables.flatMap(({ moves }) => Object.keys(moves)))
        for (const type of key.split(' ')) expect(type.split(/[_/*]/)[0]).toBe(prefix);
  });

  test('every move above low is a listed rule that an organization can turn off', () => {
    const types = [...new Set(MOVES.map(({ type }) => type))].filter((type) => !type.endsWith('*'));
    const missing = types.flatMap((type) => {
      const listed = new Set(riskRules(type).map(({ id }) => id));
      const ids = findMoves(type).flatMap(({ path, says }) => (says === undefined ? [] : [`R-ATTR-${type}.${path}`]));
      return ids.filter((id) => !listed.has(id) || !isAttributeRule(id));
    });
    expect(missing).toEqual([]);
    expect(riskRules().length).toBeLessThan(3000);
  });
});
