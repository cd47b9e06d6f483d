/** Operators and their opposites, in the notations of query languages, filters and settings. */

/** Each line: operators that hold for the opposite of each other. */
const PAIRS: readonly [string, string][] = [
  ['==', '!='],
  ['=', '!='],
  ['=', '<>'],
  ['===', '!=='],
  ['=~', '!~'],
  ['eq', 'ne'],
  ['eq', 'neq'],
  ['-eq', '-ne'],
  ['-like', '-notlike'],
  ['-in', '-notin'],
  ['in', 'nin'],
  ['&&', '||'],
  ['and', 'or'],
  ['allof', 'anyof'],
  ['must', 'should'],
  ['include', 'exclude'],
  ['includes', 'excludes'],
  ['included', 'excluded'],
  ['has', '!has'],
  ['contains', '!contains'],
  ['in~', '!in~'],
  ['in', '!in'],
  ['>', '<'],
  ['>=', '<='],
  ['>', '<='],
  ['>=', '<'],
  ['gt', 'lt'],
  ['gte', 'lte'],
  ['ge', 'le'],
  ['-gt', '-lt'],
  ['-ge', '-le'],
  ['greaterthan', 'lessthan'],
  ['greaterthanthreshold', 'lessthanthreshold'],
  ['above', 'below'],
];
const OPPOSITES = new Map<string, Set<string>>();
for (const pair of PAIRS)
  for (const [one, other] of [pair, [...pair].reverse()] as [string, string][])
    OPPOSITES.set(one, (OPPOSITES.get(one) ?? new Set()).add(other));

/** Operators that combine parts of a condition. */
const COMBINES = new Set(['&&', '||', 'and', 'or', 'allof', 'anyof', 'must', 'should']);
/** Words of operators such as `StringNotEquals`, `does_not_contain` or `DoesNotExist`. */
const OPERATOR =
  /^(?:string|numeric|date|arn|is|does|not|ends|starts|begins|with|equals?|exists?|matches|match|contains?|in|any|one|of|like|present|prefix|suffix|regex|all|ignorecase|value|values|the|operator|null|empty){1,8}$/;

export type Turn = 'reversed' | 'looser' | 'stricter';

/** @returns null unless the second operator is the opposite of the first, or asks for any part instead of all */
export function compareOperators(before: string, after: string): Turn | null {
  const [from, to] = [toOperator(before), toOperator(after)];
  if (OPPOSITES.get(from)?.has(to) !== true) return from !== to && isNegated(from, to) ? 'reversed' : null;
  if (!COMBINES.has(from)) return 'reversed';
  return from === '&&' || from === 'and' || from === 'allof' || from === 'must' ? 'looser' : 'stricter';
}

/** Whether two names of operators are equal but for a `not`. */
function isNegated(from: string, to: string): boolean {
  if (from.includes('not') === to.includes('not') || !OPERATOR.test(from) || !OPERATOR.test(to)) return false;
  return toStem(from) === toStem(to);
}

function toStem(operator: string): string {
  return operator.replace(/does|is|not/g, '').replace(/s$/, '');
}

function toOperator(word: string): string {
  const lower = word.toLowerCase();
  return /^[a-z]/.test(lower) ? lower.replace(/[_\s-]/g, '') : lower;
}
