/** Judges texts whose lines are directives with values: configurations of servers, of hosts, and policies. */
import type { MaybeJson } from '../../../changes/values.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { CompiledMove } from '../../attributes/moves/compile-move.ts';
import { pairLines } from '../line-pairs.ts';
import { findLineKinds } from './kinds.ts';
import { findKindMoves } from './tables.ts';
import { judgeMoves } from './tree-moves.ts';
import type { MoveFinding } from './types.ts';

interface Directive {
  value: string;
  line: string;
}

/** Directives by the first word of their line, and by the first two. */
type Directives = ReadonlyMap<string, readonly Directive[]>;

const MAX_LINES = 4000;
const MAX_LINE_CHARS = 1000;
const WORDS = /^([^\s=]{1,100})(?:(?:\s{0,20}=\s{0,20})|\s{1,20}|$)(.*)$/;

export function readDirectives(lines: readonly string[]): Directives {
  const found = new Map<string, Directive[]>();
  for (const line of lines.slice(0, MAX_LINES)) {
    const [name, rest] = splitWord(line.slice(0, MAX_LINE_CHARS));
    if (name === '') continue;
    add(found, name, { value: rest, line });
    const [second, value] = splitWord(rest);
    if (second !== '') add(found, `${name} ${second}`, { value, line });
    for (const inner of listInner(line.slice(0, MAX_LINE_CHARS))) add(found, inner.name, { value: inner.value, line });
  }
  return found;
}

const IN_BRACES = /(?<=[{\s])([A-Za-z_][\w.-]{0,60})\s?=\s?("[^"\n]{0,200}"|[\w.-]{1,100})/g;

/** Arguments of a block that stands in one line: `config { image = "a" privileged = true }`. */
function listInner(line: string): { name: string; value: string }[] {
  const start = line.indexOf('{');
  if (start < 0) return [];
  return [...line.slice(start).matchAll(IN_BRACES)].map(([, name, value]) => ({
    name: name!.toLowerCase(),
    value: value!.replaceAll('"', ''),
  }));
}

/** The first word of a line in lower case, and the rest without the signs that end it. */
function splitWord(line: string): [word: string, rest: string] {
  const match = WORDS.exec(line.replace(/[;{,\s]{1,20}$/, '').trim());
  if (match === null) return ['', ''];
  const name = match[1]!.replace(/:=?$/, '').toLowerCase();
  return [name, match[2]!.replace(/^(?::=|==|=|:)\s{0,20}/, '').replace(/^"([^"]{0,200})"$/, '$1')];
}

function add(found: Map<string, Directive[]>, name: string, directive: Directive): void {
  const known = found.get(name);
  if (known === undefined) found.set(name, [directive]);
  else known.push(directive);
}

/** The leaves of a tree of assignments as lines: `name = value`, and `section/name = value`. */
export function listAssignments(tree: MaybeJson): string[] {
  if (!isObject(tree)) return [];
  return Object.entries(tree).flatMap(([name, value]) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, inner]) => [
          `${key} = ${String(inner)}`,
          `${name}/${key} = ${String(inner)}`,
        ])
      : [`${name} = ${String(value)}`],
  );
}

/** What the tables say about the changed directives of a text, for each kind that it can be. */
export function findDirectiveMoves(
  before: readonly string[] | null,
  after: readonly string[],
  names: readonly string[],
): MoveFinding[] {
  const [was, is] = [readDirectives(before ?? []), readDirectives(after)];
  const kinds = findLineKinds(new Set([...was.keys(), ...is.keys()]), names);
  return kinds
    .flatMap((kind) => findKindMoves(kind))
    .flatMap(({ path, moves }) => {
      const name = path.join('.').toLowerCase();
      const order = judgeOrder(moves, readLines(was, name, before ?? []), readLines(is, name, after));
      if (order !== null && before !== null) return [order];
      return listPairs(was.get(name) ?? [], is.get(name) ?? []).flatMap(([left, right]) => {
        const found = judgeMoves(
          moves.filter(
            (move) =>
              move.move.by !== 'reordered' &&
              move.holds((pattern) => readNeighbors(pattern, was, is).map((pair) => pair.after)),
          ),
          left?.value,
          right?.value,
          before === null,
        );
        return found === null ? [] : [{ difference: { path: [], before: left?.line, after: right?.line }, found }];
      });
    });
}

/** Lines of a directive; those of the whole text for `*`. */
function readLines(directives: Directives, name: string, all: readonly string[]): readonly string[] {
  return name === '*' ? all : (directives.get(name) ?? []).map(({ line }) => line);
}

function judgeOrder(
  moves: readonly CompiledMove[],
  before: readonly string[],
  after: readonly string[],
): MoveFinding | null {
  const found = judgeMoves(
    moves.filter(({ move }) => move.by === 'reordered'),
    [...before],
    [...after],
    false,
  );
  const at = after.findIndex((line, index) => line !== before[index]);
  return found === null ? null : { difference: { path: [], before: before[at], after: after[at] }, found };
}

function readNeighbors(pattern: readonly string[], was: Directives, is: Directives) {
  const name = pattern.join('.').toLowerCase();
  return (is.get(name) ?? []).map(({ value }) => ({
    path: [name],
    before: was.get(name)?.[0]?.value,
    after: value,
    unknown: false,
  }));
}

/** Pairs directives of a name that only one side has, by their words and then in order. */
function listPairs(
  before: readonly Directive[],
  after: readonly Directive[],
): [Directive | undefined, Directive | undefined][] {
  const lost = subtract(before, after);
  const gained = subtract(after, before);
  const by_words = pairLines(
    lost.map(({ value }) => value),
    gained.map(({ value }) => value),
  );
  const pairs: [Directive | undefined, Directive | undefined][] = [];
  for (const from of [...lost]) {
    const to = gained.find(({ value }) => value === by_words.get(from.value));
    if (to === undefined) continue;
    pairs.push([from, to]);
    lost.splice(lost.indexOf(from), 1);
    gained.splice(gained.indexOf(to), 1);
  }
  for (let at = 0; at < Math.max(lost.length, gained.length); at++) pairs.push([lost[at], gained[at]]);
  return pairs;
}

function subtract(list: readonly Directive[], other: readonly Directive[]): Directive[] {
  const left = new Map<string, number>();
  for (const { value } of other) left.set(value, (left.get(value) ?? 0) + 1);
  return list.filter(({ value }) => {
    const count = left.get(value) ?? 0;
    if (count > 0) left.set(value, count - 1);
    return count === 0;
  });
}
