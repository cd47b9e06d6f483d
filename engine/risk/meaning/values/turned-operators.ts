/** Judges queries, policies, code and settings in which nothing but one operator differs: it holds for the opposite. */
import { compareOperators, type Turn } from './opposites.ts';
import { holdsConditions } from './queries.ts';
import { findRole } from './roles.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Texts that people read. */
const PROSE = listWords(
  'name description comment title message label annotation text note summary owner contact subject display body_text ' +
    'documentation reason alias',
);
const MAX_CHARS = 20_000;
const MAX_WORDS = 4_000;
const LINE_COMMENT = /(^|\s)(?:\/\/|#|--)\s[^\n]{0,1000}/g;
const WORD = /[a-z_$][\w$-]*|\d[\w.]*|[=!<>~&|]+|[^\s\w(){}[\],;"']/gi;
const NEGATIONS = new Set(['not', '!', 'unless']);
/** Without one of these, a text with `not` or `and` is a sentence. */
const IS_EXPRESSION =
  /[=!<>]=|&&|\|\||=~|[{}]|["']\s{0,3}:|\b(?:case\s{1,3}when|where|matches|contains|startswith|current_\w{1,20})\b|\w\s{0,3}=\s{0,3}["'\w]|[\w)]\s{0,3}[<>]\s{0,3}[\d"'A-Z]|\s-(?:eq|ne|and|or|in|contains|like|match)\s/i;
/** Values of an argument that is an operator as a whole have no blanks but between their words. */
const MAX_OPERATOR_CHARS = 40;
const WHOLE = listWords('operator comparison comparator match condition test op predicate negate mode type operation');

export function judgeTurnedOperator(argument: Argument): ValueFinding | null {
  const { words, outer, before, after } = argument;
  if (typeof before !== 'string' || typeof after !== 'string' || before === after) return null;
  if (before.length > MAX_CHARS || after.length > MAX_CHARS || hasAny(words, PROSE) || hasAny(outer, PROSE))
    return null;
  const turn = findTurn(argument, before, after);
  if (turn === 'reversed') return REVERSED;
  return turn === 'looser' && findRole(argument) !== 'watches' && holdsConditions(words) ? LOOSER : null;
}

const REVERSED: ValueFinding = {
  rule: 'R-VAL-CONDITION',
  level: 'high',
  direction: 'weakening',
  consequence: 'The condition is reversed: it holds for the opposite',
  beyond_rules: true,
};
const LOOSER: ValueFinding = { ...REVERSED, consequence: 'One part of the condition is enough, not all of them' };

function findTurn({ words }: Argument, before: string, after: string): Turn | null {
  if (Math.max(before.length, after.length) <= MAX_OPERATOR_CHARS && hasAny(words, WHOLE)) {
    const whole = compareOperators(before.trim(), after.trim());
    if (whole !== null) return whole;
  }
  return IS_EXPRESSION.test(after) ? compareTexts(before, after) : null;
}

/** Compares how often each word stands in the texts, so that their order, blanks and parentheses do not matter. */
function compareTexts(before: string, after: string): Turn | null {
  const counts = countWords(after);
  if (counts === null) return null;
  for (const word of listOperands(before)) counts.set(word, (counts.get(word) ?? 0) - 1);
  const [lost, gained] = [[] as string[], [] as string[]];
  for (const [word, count] of counts) {
    if (count > 0) gained.push(word);
    if (count < 0) lost.push(word);
    if (lost.length + gained.length > 2) return null;
  }
  const [was, is] = [lost[0], gained[0]];
  if (was === undefined || is === undefined) return NEGATIONS.has(was ?? is ?? '') ? 'reversed' : null;
  return counts.get(was) === -(counts.get(is) ?? 0) ? compareOperators(was, is) : null;
}

function countWords(text: string): Map<string, number> | null {
  const words = listOperands(text);
  if (words.length > MAX_WORDS) return null;
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function listOperands(text: string): string[] {
  return (text.replace(LINE_COMMENT, '$1').match(WORD) ?? []).map((word) => word.toLowerCase());
}
