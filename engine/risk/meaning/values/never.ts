/** Judges queries and filters to which a test was added that no row or event passes. */
import { isLooseQuery } from './queries.ts';
import type { Argument, ValueFinding } from './types.ts';

/** In a text without blanks and parentheses, of which each line ends with a semicolon. */
const NEVER = /(?:^|where|and|&&|\||;)(?:1==?0|0==?1|false)(?:$|and|&&|\||;)/i;
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
  return typeof value === 'string' && NEVER.test(compact(value.slice(0, MAX_CHARS)));
}

function compact(query: string): string {
  return query.replace(/\n/g, ';').replace(/[\s()]/g, '');
}
