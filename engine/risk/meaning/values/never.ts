/** Judges queries and filters to which a test was added that no row or event passes. */
import { isLooseQuery } from './queries.ts';
import type { Argument, ValueFinding } from './types.ts';

const NEVER =
  /(?:^|\bwhere|\band|&&|\|)\s{0,8}\(?\s{0,8}(?:1\s{0,4}==?\s{0,4}0|0\s{0,4}==?\s{0,4}1|false)\s{0,8}\)?\s{0,8}(?:$|\band\b|&&|\||;)/im;
const MAX_CHARS = 20_000;

export function judgeNever({ words, before, after }: Argument): ValueFinding | null {
  if (!isLooseQuery(words) || typeof after !== 'string' || !holdsNever(after) || holdsNever(before)) return null;
  return {
    rule: 'R-VAL-CONDITION',
    level: 'high',
    direction: 'weakening',
    consequence: 'The condition is never true',
    beyond_rules: true,
  };
}

function holdsNever(value: Argument['after']): boolean {
  return typeof value === 'string' && NEVER.test(value.slice(0, MAX_CHARS));
}
