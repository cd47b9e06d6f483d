import { describe, expect, test } from '@jest/globals';
import { compileMove } from '../../../../../engine/risk/attributes/moves/compile-move.ts';
import kinds from '../../../../../engine/risk/documents/moves/data/kinds.json' with { type: 'json' };
import { listDocumentMoves } from '../../../../../engine/risk/documents/moves/tables.ts';

const MOVES = [...listDocumentMoves()];

describe('tables of moves in documents', () => {
  test('know at least fifty charts', () => {
    const charts = new Set(MOVES.map(({ kind }) => kind).filter((kind) => kind.startsWith('chart/')));

    expect(charts.size).toBeGreaterThan(50);
  });

  test('every move has a consequence from medium on, and can be compiled', () => {
    for (const { kind, move } of MOVES) {
      expect(() => compileMove(move)).not.toThrow();
      const is_said = move.says !== undefined && /^[A-Z].{8,119}[^.\s]$/.test(move.says);
      expect([kind, move.path, is_said]).toEqual([kind, move.path, !['none', 'low'].includes(move.level)]);
    }
  });

  test('every kind of file and of lines has signs by which it is recognized', () => {
    const without = new Set(MOVES.map(({ kind }) => kind).filter((kind) => !kind.startsWith('chart/')));
    for (const kind of Object.keys(kinds)) without.delete(kind);

    expect([...without]).toEqual([]);
  });

  test('a level for new documents stands next to the values that it is for', () => {
    for (const { move } of MOVES) if (move.create !== undefined) expect(move.to).toBeDefined();
  });
});
