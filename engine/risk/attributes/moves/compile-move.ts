/** Compiles one move of a table into tests of the values before and after. */
import { align } from '../../../changes/align.ts';
import { isObject } from '../../../lib/is-object.ts';
import { isAtLeast } from '../../../model/levels.ts';
import type { Subject } from '../subject.ts';
import type { Value } from '../types.ts';
import { isEmpty, list, same } from '../values.ts';
import type { Pair } from '../walk.ts';
import { findBeside, splitPath } from './paths.ts';
import type { Move } from './types.ts';
import { type Check, compileTests, listEntries, readAmount } from './value-tests.ts';

export interface CompiledMove {
  move: Move;
  /** Any change of the value, worth reading: readers of values that know more come first. */
  is_general: boolean;
  /** Any change of the value. */
  is_any: boolean;
  /** More entries are more dangerous, so that parts of them are not. */
  lets_in: boolean;
  applies(subject: Subject, pair: Pair): boolean;
  /** Whether the values of other arguments are as the move demands; `read` returns those at a path. */
  holds(read: (path: readonly string[]) => readonly Value[]): boolean;
  weakens(before: Value, after: Value): boolean;
  strengthens(before: Value, after: Value): boolean;
  isMadeWith(after: Value): boolean;
  /** An amount that matters moves by such a ratio that the argument no longer does what it was set for. */
  isExtreme(before: Value, after: Value): boolean;
  /** The entry that comes or goes, if the move is about entries. */
  findEntry(before: Value, after: Value): string | undefined;
}

/** Amounts that people tune differ by less. */
const EXTREME = 101;

/** Zero and nothing mean something of their own. */
function isSome(value: Value): boolean {
  return (readAmount(value)?.amount ?? 0) > 0;
}

export function compileMove(move: Move): CompiledMove {
  const isFrom = move.from === undefined ? null : compileTests(move.from);
  const isTo = move.to === undefined ? null : compileTests(move.to);
  const moves = compileDirection(move);
  const movesFar =
    move.by === 'less' || move.by === 'more' ? compileDirection({ ...move, factor: EXTREME }) : () => false;
  // A small step away from a great one is safer, too.
  const movesBack = compileDirection({ ...move, factor: 1 });
  const pattern = splitPath(move.path);
  const where = Object.entries(move.where ?? {}).map(
    ([path, tests]) => [splitPath(path), compileTests(tests)] as const,
  );
  const is_any = isFrom === null && isTo === null && move.by === undefined;
  const passes = (before: Value, after: Value, direction = moves): boolean =>
    !same(before, after) &&
    // What a new block contains is no change of an argument.
    !(is_any && (before === undefined || (isEmpty(before) && isEmpty(after)))) &&
    (isFrom === null || (isFrom(before) && !isFrom(after))) &&
    (isTo === null || (isTo(after) && !isTo(before))) &&
    direction(before, after);
  const holds: CompiledMove['holds'] = (read) => where.every(([path, check]) => passesAny(read(path), check));
  return {
    move,
    is_any,
    lets_in: move.by === 'gains' && isAtLeast(move.level, 'medium'),
    is_general: is_any && (move.level === 'medium' || move.level === 'high') && !move.path.includes('{}'),
    holds,
    applies: (subject, pair) => isMeant(move, pair) && holds((path) => findBeside(subject, path, { pattern, pair })),
    weakens: (before, after) => passes(before, after),
    strengthens: (before, after) =>
      move.one_way !== true && isAtLeast(move.level, 'medium') && passes(after, before, movesBack),
    isExtreme: (before, after) => move.level === 'medium' && [before, after].every(isSome) && movesFar(before, after),
    isMadeWith: (after) => move.create !== undefined && isTo?.(after) === true,
    findEntry: (before, after) => findEntry(move, before, after),
  };
}

/**
 * Whether a move is meant when an entry of a list comes or goes as a whole. Its arguments do not change, so only moves
 * that say what follows from a value, or from its absence, are.
 */
function isMeant({ from, to, by }: Move, { path, after, lone }: Pair): boolean {
  if (lone === undefined) return true;
  if (from === undefined && to === undefined && by === undefined) return false;
  if (after !== undefined || (from?.includes('*') === true && to?.includes(null) === true)) return true;
  // The only entry of a list is a block, whose end is the end of each of its arguments.
  return path.length - lone.depth <= 1 && (by === undefined || lone.is_only);
}

function passesAny(values: readonly Value[], check: Check): boolean {
  return values.length === 0 ? check(undefined) : values.some(check);
}

function compileEntries(entries: Move['entries']): Check {
  return entries === undefined ? () => true : compileTests(entries);
}

function findEntry({ by, entries }: Move, before: Value, after: Value): string | undefined {
  if (by === 'loses') return findLostEntry(before, after, compileEntries(entries));
  return by === 'gains' ? findLostEntry(after, before, compileEntries(entries)) : undefined;
}

function compileDirection({ by, entries, factor = 1 }: Move): (before: Value, after: Value) => boolean {
  const isEntry = compileEntries(entries);
  switch (by) {
    case 'less':
      return (before, after) => isLess(after, before, factor);
    case 'more':
      return (before, after) => isLess(before, after, factor);
    case 'loses':
      return (before, after) => findLostEntry(before, after, isEntry) !== undefined;
    case 'gains':
      return (before, after) => findLostEntry(after, before, isEntry) !== undefined;
    case 'emptied':
      return (before, after) => isEmpty(after) && !isEmpty(before);
    case 'reordered':
      return isReordered;
    case 'changes':
      return (before) => !isEmpty(before);
    default:
      return () => true;
  }
}

function isLess(less: Value, more: Value, factor: number): boolean {
  const small = readAmount(less, readAmount(more)?.dimension);
  const great = readAmount(more, small?.dimension);
  if (small === null || great === null || small.dimension !== great.dimension) return false;
  return small.amount < great.amount && small.amount * factor <= great.amount;
}

function isReordered(before: Value, after: Value): boolean {
  const [from, to] = [listEntries(before), listEntries(after)];
  const [was, is] = [new Set(from), new Set(to)];
  const kept = to.filter((entry) => was.has(entry));
  return from.filter((entry) => is.has(entry)).join('\n') !== kept.join('\n');
}

/** The first entry that is only on the first side. A block that changes is still there: blocks are matched by their names. */
function findLostEntry(before: Value, after: Value, isEntry: Check): string | undefined {
  if (Array.isArray(before) && before.some(isObject)) {
    const lost = align(before, list(after)).flatMap(([left, right]) => (left >= 0 && right < 0 ? [before[left]!] : []));
    return lost.map((block) => JSON.stringify(block)).find(isEntry);
  }
  const kept = new Set(listEntries(after));
  return listEntries(before).find((entry) => entry !== '' && !kept.has(entry) && isEntry(entry));
}
