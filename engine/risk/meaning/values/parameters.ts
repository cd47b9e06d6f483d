/** Judges parameters of databases, caches and brokers by name, whichever resource sets them. */
import { type CompiledMove, compileMove } from '../../attributes/moves/compile-move.ts';
import type { Move, MoveTable } from '../../attributes/moves/types.ts';
import parameters from './parameters.json' with { type: 'json' };
import type { Argument, ValueFinding } from './types.ts';

const compiled = new Map<string, readonly CompiledMove[]>();

/** Decides by the table alone; null for parameters that it does not have, and for moves between values of one meaning. */
export function judgeParameter({ names, before, after }: Argument): ValueFinding | null {
  const name = names.at(-1)?.toLowerCase() ?? '';
  const moves = findMoves(name);
  const weakens = moves.find((move) => move.weakens(before ?? null, after ?? null));
  if (weakens !== undefined) return report(weakens.move);
  const strengthens = moves.some((move) => move.strengthens(before ?? null, after ?? null));
  return strengthens ? { ...SAFER, consequence: 'The parameter is set to a safer value' } : null;
}

const SAFER = { rule: 'R-VAL-PARAMETER', level: 'low', direction: 'strengthening' } as const;

function report({ level, says = 'Routine' }: Move): ValueFinding {
  const direction = says === 'Routine' ? 'neutral' : 'weakening';
  return { rule: 'R-VAL-PARAMETER', level, direction, consequence: says };
}

function findMoves(name: string): readonly CompiledMove[] {
  const { moves } = parameters as MoveTable;
  if (!Object.hasOwn(moves, name)) return [];
  const known = compiled.get(name) ?? moves[name]!.map(compileMove);
  compiled.set(name, known);
  return known;
}
