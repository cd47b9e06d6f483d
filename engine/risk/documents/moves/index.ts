/** Judges documents of known kinds by tables of moves, and says which differences are left for general rules. */
import type { MaybeJson } from '../../../changes/values.ts';
import type { DocumentDifference } from '../../../documents/types.ts';
import { findDirectiveMoves } from './directives.ts';
import { findTreeKinds } from './kinds.ts';
import { findTreeMoves, listKnownParts } from './tree-moves.ts';
import type { MoveFinding } from './types.ts';

export { listAssignments } from './directives.ts';

/** The findings of tables, and the differences that no table knows. */
export interface KnownFindings {
  known: MoveFinding[];
  rest: DocumentDifference[];
}

/**
 * Judges the differences of two trees.
 *
 * @param names in lower case: of the file, and of what holds it
 * @param kinds of the whole document, besides those that its names and keys tell
 */
export function judgeKnownTree(
  before: MaybeJson,
  after: MaybeJson,
  differences: readonly DocumentDifference[],
  names: readonly string[],
  kinds: readonly string[] = [],
): KnownFindings {
  const root = [...kinds, ...findTreeKinds(after ?? before, names)];
  const parts = listKnownParts(before, after, differences, root);
  const known = keepFirst(parts.flatMap((part) => findTreeMoves(part, before === undefined)));
  return { known, rest: differences.filter((difference) => !known.some((one) => covers(one.difference, difference))) };
}

/** The table of the more specific kind stands first. */
function keepFirst(findings: readonly MoveFinding[]): MoveFinding[] {
  const by_path = new Map<string, MoveFinding>();
  for (const finding of findings) {
    const key = finding.difference.path.join('\n');
    if (!by_path.has(key)) by_path.set(key, finding);
  }
  return [...by_path.values()];
}

/** A finding about a place covers what is below it, and the place that it is a part of. */
function covers(found: DocumentDifference, difference: DocumentDifference): boolean {
  const length = Math.min(found.path.length, difference.path.length);
  return found.path.slice(0, length).every((segment, at) => String(segment) === String(difference.path[at]));
}

/** Judges the differences of two texts whose lines are directives. */
export function judgeKnownLines(
  before: readonly string[] | null,
  after: readonly string[],
  differences: readonly DocumentDifference[],
  names: readonly string[],
): KnownFindings {
  const known = findDirectiveMoves(before, after, names);
  const judged = new Set(known.flatMap(({ difference }) => [difference.before, difference.after]));
  return { known, rest: differences.filter((one) => !listLines(one).some((line) => judged.has(line))) };
}

/** A difference as lines, also that of an assignment. */
function listLines({ path, before, after }: DocumentDifference): MaybeJson[] {
  const sides = [before, after].filter((side) => side !== undefined);
  return path.length === 0 ? sides : sides.map((side) => `${path.at(-1)} = ${String(side)}`);
}
