/** Paths of moves, and where they meet in a resource. */
import type { Subject } from '../subject.ts';
import type { Path, Value } from '../types.ts';
import { type Pair, pairsAt } from '../walk.ts';

/** Splits a path at its dots, except inside brackets. */
export function splitPath(path: string): string[] {
  const [start = '', ...rest] = path.split('[');
  return [...splitDots(start), ...rest.flatMap(splitBracket)];
}

function splitBracket(text: string): string[] {
  const end = text.indexOf(']');
  return [text.slice(0, end), ...splitDots(text.slice(end + 1))];
}

function splitDots(text: string): string[] {
  return text.split('.').filter((name) => name !== '');
}

/** Returns the new values at a pattern, in the same entries of lists as a pair that was found at another pattern. */
export function findBeside(
  subject: Subject,
  expected: readonly string[],
  { pattern, pair }: { pattern: readonly string[]; pair: Pair },
): Value[] {
  const text = expected.indexOf('{}');
  const shared = Math.min(countShared(expected, pattern), text < 0 ? expected.length : text);
  const path = readPlace(pattern.slice(0, shared), pair.path);
  const block = enter(subject.after, path) ?? enter(subject.before, path);
  return pairsAt(expected.slice(shared), undefined, block, false).map(({ after }) => after);
}

function countShared(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((segment, index) => segment !== other[index]);
  return end < 0 ? one.length - 1 : end;
}

/** The start of a path that matches the start of its pattern; a `*` where a block is a single object matches nothing. */
function readPlace(pattern: readonly string[], path: Path): Path {
  let length = 0;
  for (const segment of pattern) if (segment !== '*' || typeof path[length] === 'number') length++;
  return path.slice(0, length);
}

function enter(side: Value, path: Path): Value {
  let value = side;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, Value>)[key];
  }
  return value;
}
