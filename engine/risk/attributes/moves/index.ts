/** Rules from tables of moves: from which value to which an argument changes, and what follows. */
import { isObject } from '../../../lib/is-object.ts';
import { isAtLeast, maxLevel, minLevel } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { member } from '../values.ts';
import type { Pair } from '../walk.ts';
import { type CompiledMove, compileMove } from './compile-move.ts';
import { splitPath } from './paths.ts';
import { keepsHost, narrowsNetworks } from './places.ts';
import { MOVE_TABLES } from './tables.ts';
import type { Move, MoveTable, Part } from './types.ts';

export type { Move } from './types.ts';

/** `kubernetes_deployment_v1` has the arguments of `kubernetes_deployment`. */
const VERSION = /_v\d(?:(?:alpha|beta)\d)?$/;

/** The rules of a type, one for each argument that has moves. */
export function findMoveRules(type: string): Rule[] {
  const by_path = new Map<string, Move[]>();
  for (const move of findMoves(type)) by_path.set(move.path, [...(by_path.get(move.path) ?? []), move]);
  return [...by_path].map(([path, moves]) => makeRule(type, path, moves));
}

/** The moves of a type, the more specific ones first. */
export function findMoves(type: string): Move[] {
  const table = findTable(type);
  if (table === undefined) return [];
  const plain = type.replace(VERSION, '');
  const named = table.types.get(type) ?? table.types.get(plain) ?? [];
  const by_prefix = table.prefixes.filter(([prefix]) => type.startsWith(prefix)).flatMap(([, moves]) => moves);
  return [...named, ...by_prefix];
}

/** Every move with the type it belongs to; a move of a part with the first one. */
export function* listMoves(): Iterable<{ type: string; move: Move }> {
  for (const { moves: table, parts = [] } of Object.values(MOVE_TABLES).flat()) {
    for (const [types, moves] of Object.entries(table))
      for (const type of types.split(' ')) for (const move of moves) yield { type, move };
    for (const part of parts) yield* listPlaced(part).slice(0, part.moves.length);
  }
}

interface IndexedTable {
  types: ReadonlyMap<string, readonly Move[]>;
  prefixes: readonly (readonly [prefix: string, moves: readonly Move[]])[];
}

const indexed = new Map<string, IndexedTable>();

function findTable(type: string): IndexedTable | undefined {
  const end = type.search(/[_/]/);
  const name = end < 0 ? type : type.slice(0, end);
  const known = indexed.get(name);
  if (known !== undefined || !Object.hasOwn(MOVE_TABLES, name)) return known;
  const made = indexTables(MOVE_TABLES[name]!);
  indexed.set(name, made);
  return made;
}

function indexTables(tables: readonly MoveTable[]): IndexedTable {
  const types = new Map<string, readonly Move[]>();
  const prefixes: [string, readonly Move[]][] = [];
  for (const [key, moves] of tables.flatMap((table) => Object.entries(table.moves))) {
    for (const type of key.split(' ')) {
      if (type.endsWith('*')) prefixes.push([type.slice(0, -1), moves]);
      else types.set(type, [...(types.get(type) ?? []), ...moves]);
    }
  }
  for (const { type, move } of tables.flatMap(({ parts = [] }) => parts.flatMap(listPlaced)))
    types.set(type, [...(types.get(type) ?? []), move]);
  return { types, prefixes };
}

/** The moves of a part at each of its places. */
function listPlaced({ at, moves }: Part): { type: string; move: Move }[] {
  return Object.entries(at).flatMap(([types, places]) =>
    types
      .split(' ')
      .flatMap((type) => places.flatMap((place) => moves.map((move) => ({ type, move: put(move, place) })))),
  );
}

function put(move: Move, place: string): Move {
  const { path, where } = move;
  if (where === undefined) return { ...move, path: `${place}.*.${path}` };
  const tests = Object.entries(where).map(([name, test]) => [`${place}.*.${name}`, test]);
  return { ...move, path: `${place}.*.${path}`, where: Object.fromEntries(tests) };
}

function makeRule(type: string, path: string, moves: readonly Move[]): Rule {
  const segments = splitPath(path);
  const on_create = moves.some(({ create }) => create !== undefined);
  const compiled = moves.map(compileMove);
  return {
    types: [type],
    watches: [{ path: path.split('.{}')[0]! }],
    modes: on_create ? ['create', 'update', 'replace'] : ['update', 'replace'],
    find: (subject) => {
      for (const pair of subject.pairs(segments)) if (!pair.unknown) judge(subject, compiled, pair);
    },
  };
}

/** Reports the move that decides, unless a rule that knows more has reported the argument. */
function judge(subject: Subject, moves: readonly CompiledMove[], pair: Pair): void {
  const is_new = subject.mode === 'create';
  const meant = moves.filter((move) => move.applies(subject, pair));
  const decisive = is_new ? meant.find((move) => move.isMadeWith(pair.after)) : findDecisive(meant, pair);
  if (decisive === 'safer') subject.setDirection(pair.path, 'strengthening');
  else if (decisive?.is_general === false) report(subject, decisive, pair, is_new);
}

/**
 * The first move that happens decides, or the first whose opposite does. Less and more of one amount can both be risky:
 * then the opposite of one move is safer only if the other is not as grave.
 */
function findDecisive(moves: readonly CompiledMove[], { before, after }: Pair): CompiledMove | 'safer' | undefined {
  let undone: RiskLevel | undefined;
  for (const compiled of moves) {
    const { level, by } = compiled.move;
    if (compiled.lets_in && narrowsNetworks(before, after)) return 'safer';
    if (compiled.weakens(before, after)) return undone !== undefined && !isAtLeast(level, undone) ? 'safer' : compiled;
    if (!compiled.strengthens(before, after)) continue;
    if (by !== 'less' && by !== 'more') return 'safer';
    undone = maxLevel(level, undone ?? 'none');
  }
  return undone === undefined ? undefined : 'safer';
}

/** General moves of each type, by the names of their path. */
const general = new Map<string, ReadonlyMap<string, readonly CompiledMove[]>>();
/** Types come from plans of users. */
const MAX_TYPES = 10_000;

/**
 * Reports an argument of which the tables only know that its changes matter.
 *
 * @returns false if they do not have it
 */
export function reportGeneralMove(subject: Subject, pair: Pair): boolean {
  const general = findGeneralMoves(subject.type);
  if (reportFirst(subject, findAt(general, pair.path), pair)) return true;
  // A key of a map that changes is a change of the map.
  const outer = readOuter(subject, pair.path.slice(0, -1));
  const is_map = isObject(outer.before) && isObject(outer.after);
  return is_map && reportFirst(subject, findAt(general, outer.path), outer);
}

/**
 * Reports a change inside a block of which the tables know that every change is grave, such as the selector of a
 * policy.
 *
 * @returns false if there is no such block
 */
export function reportOuterMove(subject: Subject, { path }: Pair): boolean {
  const general = findGeneralMoves(subject.type);
  for (let end = general.size === 0 ? 0 : path.length - 1; end > 0; end -= 1) {
    const moves = typeof path[end - 1] === 'string' ? findAt(general, path.slice(0, end)) : [];
    const grave = moves.filter(({ move }) => move.level === 'high');
    if (grave.length === 0) continue;
    const outer = readOuter(subject, path.slice(0, end));
    if (isBlock(outer.before) && isBlock(outer.after) && reportFirst(subject, grave, outer)) return true;
  }
  return false;
}

function readOuter({ before, after }: Subject, path: Pair['path']): Pair {
  return { path, before: readValue(before, path), after: readValue(after, path), unknown: false };
}

/** A map, or a block, which is a list of one object. */
function isBlock(value: Value): boolean {
  return isObject(value) || (Array.isArray(value) && value.length === 1 && isObject(value[0]));
}

function findAt(general: ReadonlyMap<string, readonly CompiledMove[]>, path: Pair['path']): readonly CompiledMove[] {
  return general.get(path.filter((segment) => typeof segment === 'string').join('.')) ?? [];
}

function reportFirst(subject: Subject, moves: readonly CompiledMove[], pair: Pair): boolean {
  const found = moves.find((move) => move.applies(subject, pair) && move.weakens(pair.before, pair.after));
  if (found !== undefined) report(subject, found, pair, false);
  return found !== undefined;
}

function readValue(side: Value, path: Pair['path']): Value {
  let at: Value = side;
  for (const segment of path) at = Array.isArray(at) ? at[Number(segment)] : member(at, String(segment));
  return at;
}

function findGeneralMoves(type: string): ReadonlyMap<string, readonly CompiledMove[]> {
  const known = general.get(type);
  if (known !== undefined) return known;
  const made = new Map<string, CompiledMove[]>();
  for (const move of findMoves(type)) {
    const compiled = compileMove(move);
    const names = splitPath(move.path).filter((segment) => segment !== '*');
    const key = names.join('.');
    if (compiled.is_general) made.set(key, [...(made.get(key) ?? []), compiled]);
  }
  if (general.size >= MAX_TYPES) general.clear();
  general.set(type, made);
  return made;
}

function report(subject: Subject, compiled: CompiledMove, pair: Pair, is_new: boolean): void {
  const { move } = compiled;
  const { path, before, after } = pair;
  const named = is_new
    ? (move.create ?? 'none')
    : compiled.isExtreme(before, after)
      ? maxLevel('high', move.level)
      : move.level;
  const level = compiled.is_any && keepsHost(before, after) ? minLevel(named, 'medium') : named;
  if (!isAtLeast(level, 'medium')) {
    subject.accept(path);
    return;
  }
  if (subject.isReported(path, level)) return;
  subject.add({
    rule: formatMoveId(subject.type, move.path),
    level,
    path,
    message: `${move.says}: ${subject.formatPath(path)} ${describe(subject, compiled, pair, is_new)}.`,
    states_values: subject.quotesWhole(path, before) && subject.quotesWhole(path, after),
  });
  subject.setDirection(path, 'weakening');
}

function describe(subject: Subject, compiled: CompiledMove, { path, before, after }: Pair, is_new: boolean): string {
  if (subject.isHidden(path)) return is_new ? 'is set (value withheld)' : 'changes (values withheld)';
  if (is_new) return `is ${subject.quote(path, after)}`;
  const entry = compiled.findEntry(before, after);
  if (entry === undefined) return `changes from ${subject.quote(path, before)} to ${subject.quote(path, after)}`;
  return `${compiled.move.by === 'loses' ? 'no longer contains' : 'now contains'} ${subject.quote(path, entry)}`;
}

export function formatMoveId(type: string, path: string): string {
  return `R-ATTR-${type}.${path}`;
}
