/** Judges arguments that no documentation describes by the words of their names and the values between which they move. */
import { splitWords } from '../../../effects/words.ts';
import { type CompiledMove, compileMove } from '../../attributes/moves/compile-move.ts';
import type { Move } from '../../attributes/moves/types.ts';
import { member, text } from '../../attributes/values.ts';
import { readSwitch } from '../switch.ts';
import { isUnset } from './numbers.ts';
import operations from './operation-words.json' with { type: 'json' };
import type { Argument, ValueFinding } from './types.ts';
import table from './word-moves.json' with { type: 'json' };
import { hasAny } from './words.ts';

/** Moves of arguments whose names contain all words of one phrase. */
interface WordMoves {
  /** Phrases, separated by commas. Behind `=`, the name has no other words. */
  names: string;
  /** Words of which the type, the name of the resource, or a block around the argument has one, separated by blanks; any type by default. */
  kinds?: string;
  /** Words that the name, a block around it and the type do not have. */
  except?: string;
  /** The paths of the moves are `value`. */
  moves: readonly Move[];
}

interface Phrase {
  words: readonly string[];
  is_whole: boolean;
}

interface CompiledRow {
  phrases: readonly Phrase[];
  kinds: ReadonlySet<string> | null;
  except: ReadonlySet<string>;
  moves: readonly CompiledMove[];
}

/** What protects and connects comes before what runs, approves, tells and pays. */
const TABLES = [table, operations] as unknown as readonly { rows: readonly WordMoves[] }[];

let compiled: readonly CompiledRow[] | undefined;

/** The first move that applies decides; null for arguments of which documentation says what they do. */
export function judgeWordMove(argument: Argument): ValueFinding | null {
  if (!argument.effect.inferred && !argument.is_free) return null;
  compiled ??= TABLES.flatMap(({ rows }) => rows.map(compileRow));
  const { before = null, after = null } = argument;
  // What is off by default in most services stays off.
  if (isUnset(before) && readSwitch(after) === false) return null;
  const moves = compiled.filter((row) => isMeant(row, argument)).flatMap((row) => row.moves);
  const weakens = moves.find((move) => move.weakens(before, after));
  if (weakens !== undefined) return report(weakens.move);
  return moves.some((move) => move.strengthens(before, after)) ? SAFER : null;
}

const SAFER: ValueFinding = {
  rule: 'R-VAL-WORDS',
  level: 'low',
  direction: 'strengthening',
  consequence: 'The argument is set to a safer value',
};

function report({ level, says = '' }: Move): ValueFinding {
  return { rule: 'R-VAL-WORDS', level, direction: 'weakening', consequence: says, beyond_rules: true };
}

function compileRow({ names, kinds, except = '', moves }: WordMoves): CompiledRow {
  return {
    phrases: names.split(',').map((phrase) => ({ words: splitWords(phrase), is_whole: phrase.trim().startsWith('=') })),
    kinds: kinds === undefined ? null : new Set(splitWords(kinds)),
    except: new Set(splitWords(except)),
    moves: moves.map(compileMove),
  };
}

function isNamed(phrase: Phrase, words: ReadonlySet<string>): boolean {
  if (phrase.is_whole && words.size > phrase.words.length) return false;
  return phrase.words.every((word) => words.has(word));
}

/** Whether the name of the resource says what it is for. */
function isCalled(holders: Argument['holders'], kinds: ReadonlySet<string>): boolean {
  return ['name', 'key'].some((name) =>
    splitWords(text(member(holders.at(-1), name)).slice(0, 200)).some((word) => kinds.has(word)),
  );
}

function isMeant({ phrases, kinds, except }: CompiledRow, { words, outer, type, holders }: Argument): boolean {
  if (!phrases.some((phrase) => isNamed(phrase, words))) return false;
  if (kinds !== null && ![type, outer].some((names) => hasAny(names, kinds)) && !isCalled(holders, kinds)) return false;
  return ![words, outer, type].some((names) => hasAny(names, except));
}
