import { type CompiledMove, compileMove } from '../../attributes/moves/compile-move.ts';
import type { Move, MoveTable } from '../../attributes/moves/types.ts';
import charts from './data/charts.json' with { type: 'json' };
import clusterCharts from './data/cluster-charts.json' with { type: 'json' };
import files from './data/files.json' with { type: 'json' };
import lines from './data/lines.json' with { type: 'json' };
import serviceCharts from './data/service-charts.json' with { type: 'json' };

const TABLES = [charts, clusterCharts, serviceCharts, files, lines] as readonly MoveTable[];

/** The moves of one path, the first that applies decides. */
export interface PathMoves {
  path: readonly string[];
  moves: readonly CompiledMove[];
}

const by_kind = new Map<string, Move[]>();
for (const [key, moves] of TABLES.flatMap((table) => Object.entries(table.moves)))
  for (const kind of key.split(' ')) by_kind.set(kind, [...(by_kind.get(kind) ?? []), ...moves]);

const compiled = new Map<string, readonly PathMoves[]>();

export function hasTable(kind: string): boolean {
  return by_kind.has(kind);
}

/** Every move with the kind of document it belongs to. */
export function* listDocumentMoves(): Iterable<{ kind: string; move: Move }> {
  for (const [kind, moves] of by_kind) for (const move of moves) yield { kind, move };
}

/** The moves of a kind by their paths, compiled on first use. */
export function findKindMoves(kind: string): readonly PathMoves[] {
  const known = compiled.get(kind);
  if (known !== undefined) return known;
  const by_path = new Map<string, Move[]>();
  for (const move of by_kind.get(kind) ?? []) by_path.set(move.path, [...(by_path.get(move.path) ?? []), move]);
  const made = [...by_path].map(([path, moves]) => ({ path: splitPath(path), moves: moves.map(compileMove) }));
  compiled.set(kind, made);
  return made;
}

/** Names of the directives that a kind of text has moves for. */
export function findDirectiveNames(kind: string): string[] {
  return findKindMoves(kind).map(({ path }) => path.join('.'));
}

/** Segments of a path; `\.` is a dot inside a name. */
export function splitPath(path: string): string[] {
  return path
    .replaceAll('\\.', '\u0000')
    .split('.')
    .map((segment) => segment.replaceAll('\u0000', '.'));
}
