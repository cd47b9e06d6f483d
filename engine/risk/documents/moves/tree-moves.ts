/** Judges the parts of documents whose kind is known, by tables of moves. */
import { align } from '../../../changes/align.ts';
import { isEqual, type MaybeJson, readMember } from '../../../changes/values.ts';
import type { DocumentDifference } from '../../../documents/types.ts';
import { isObject } from '../../../lib/is-object.ts';
import { isAtLeast } from '../../../model/levels.ts';
import type { JsonObject, RiskLevel } from '../../../model/result.ts';
import type { CompiledMove } from '../../attributes/moves/compile-move.ts';
import type { Pair } from '../../attributes/walk.ts';
import type { SettingFinding } from '../settings.ts';
import { findTreeKinds } from './kinds.ts';
import { readPairs } from './pairs.ts';
import { findKindMoves, hasTable, type PathMoves } from './tables.ts';
import type { KnownPart, MoveFinding } from './types.ts';

export const STRICTER: SettingFinding = {
  level: 'low',
  direction: 'strengthening',
  consequence: 'The setting is stricter',
};
const ROUTINE: SettingFinding = { level: 'low', direction: 'neutral', consequence: 'The change is routine' };

/** A document more different than this is judged without looking for known parts below its root. */
const MAX_SEARCHED = 300;
const MAX_DEPTH = 12;

/**
 * Lists the parts of known kinds that contain a difference.
 *
 * @param root kinds of the whole document
 */
export function listKnownParts(
  before: MaybeJson,
  after: MaybeJson,
  differences: readonly DocumentDifference[],
  root: readonly string[],
): KnownPart[] {
  const parts = root.map((kind): KnownPart => ({ kind, at: [], before, after }));
  const in_chart = root.some((kind) => kind.startsWith('chart/'));
  const seen = new Set<string>();
  for (const { path } of differences.slice(0, MAX_SEARCHED)) {
    let [was, is] = [before, after];
    for (let depth = 1; depth < Math.min(path.length, MAX_DEPTH); depth++) {
      const segment = path[depth - 1]!;
      [was, is] = readChildren(was, is, segment);
      const at = path.slice(0, depth);
      const key = at.join('\n');
      if (seen.has(key)) continue;
      seen.add(key);
      const kinds = findTreeKinds(is ?? was, []);
      if (in_chart && hasTable(`chart/${segment}`)) kinds.push(`chart/${segment}`);
      parts.push(...kinds.map((kind) => ({ kind, at, before: was, after: is })));
    }
  }
  return parts;
}

/** Both sides of a child; items of lists are matched as in the differences. */
function readChildren(before: MaybeJson, after: MaybeJson, segment: string | number): [MaybeJson, MaybeJson] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [readChild(before, segment), readChild(after, segment)];
  const at = Number(segment);
  const pairs = align(before, after);
  const [from, to] = pairs.find(([, a]) => a === at) ?? pairs.find(([b, a]) => a < 0 && b === at) ?? [-1, -1];
  return [before[from], after[to]];
}

function readChild(value: MaybeJson, segment: string | number): MaybeJson {
  if (Array.isArray(value)) return value[Number(segment)];
  return isObject(value) ? readMember(value, String(segment)) : undefined;
}

/** What the tables say about a part; nothing for what they do not know. */
export function findTreeMoves(part: KnownPart, is_new: boolean): MoveFinding[] {
  return findKindMoves(part.kind).flatMap((entry) =>
    readPairs(entry.path, part.before, part.after).flatMap((pair) => {
      const found = judgePair(part, entry, pair, is_new);
      const difference = { path: [...part.at, ...pair.path], before: pair.before, after: pair.after };
      return found === null ? [] : [{ difference, found }];
    }),
  );
}

function judgePair(part: KnownPart, { path, moves }: PathMoves, pair: Pair, is_new: boolean): SettingFinding | null {
  if (isEqual(pair.before, pair.after)) return null;
  const readValues = (pattern: readonly string[]) =>
    readPairs(resolve(pattern, path, pair), part.before, part.after).map(({ after }) => after);
  return judgeMoves(
    moves.filter((move) => move.holds(readValues)),
    pair.before,
    pair.after,
    is_new,
  );
}

/** A condition about a neighbor in the same item of a list reads that item. */
function resolve(pattern: readonly string[], path: readonly string[], pair: Pair): string[] {
  const is_aligned = pair.path.length === path.length;
  let is_shared = true;
  return pattern.map((segment, at) => {
    is_shared &&= segment === path[at];
    return is_shared && is_aligned && segment === '*' ? String(pair.path[at]) : segment;
  });
}

/** The first move that applies decides, and then the first whose opposite does; null when none does. */
export function judgeMoves(
  moves: readonly CompiledMove[],
  before: MaybeJson,
  after: MaybeJson,
  is_new: boolean,
): SettingFinding | null {
  if (is_new) return judgeNew(moves, after);
  const [lost, gained] = listUnpaired(before, after);
  const isAboutEntries = ({ move }: CompiledMove) => move.by === 'loses' || move.by === 'gains';
  const weakening = moves.find((one) => (isAboutEntries(one) ? one.weakens(lost, gained) : one.weakens(before, after)));
  if (weakening !== undefined) return toFinding(weakening.move.level, weakening.move.says);
  const is_stricter = moves.some((one) =>
    isAboutEntries(one) ? one.strengthens(lost, gained) : one.strengthens(before, after),
  );
  return is_stricter ? STRICTER : null;
}

function judgeNew(moves: readonly CompiledMove[], after: MaybeJson): SettingFinding | null {
  const move = moves.find((compiled) => compiled.isMadeWith(after))?.move;
  return move === undefined ? null : toFinding(move.create ?? 'none', move.says);
}

function toFinding(level: RiskLevel, says = ''): SettingFinding {
  return isAtLeast(level, 'medium') ? { level, direction: 'weakening', consequence: says } : ROUTINE;
}

/** Without the keys of a map that both sides have: an edited entry neither comes nor goes. */
function listUnpaired(before: MaybeJson, after: MaybeJson): [MaybeJson, MaybeJson] {
  return isObject(before) && isObject(after) ? [dropKeys(before, after), dropKeys(after, before)] : [before, after];
}

function dropKeys(side: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(side).filter(([key]) => !Object.hasOwn(other, key)));
}
