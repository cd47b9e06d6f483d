/** Judges queries of alarms in which a compared text changes only the case of its letters. */
import { isLooseQuery } from './queries.ts';
import { findRole } from './roles.ts';
import type { Argument, ValueFinding } from './types.ts';

/** A comparison of whole texts; `=~` and functions often ignore the case. */
const COMPARED = /(?:[^=!<>~]==?|\bin)\s{0,3}(?:\[\s{0,3})?(["'])((?:(?!\1)[^\n]){1,200})\1/gi;
const MAX_CHARS = 20_000;
const LINE_COMMENT = /(^|\s)(?:\/\/|#|--)\s[^\n]{0,1000}/g;
/** Databases and services that ignore the case of compared texts. */
const IGNORES_CASE = /lower\s{0,3}\(|upper\s{0,3}\(|tolower|ilike|ignore_?case|resource\.type/i;

export function judgeLiteralCase(argument: Argument): ValueFinding | null {
  const { words, before, after, type } = argument;
  if (!isLooseQuery(words) || typeof before !== 'string' || typeof after !== 'string' || before === after) return null;
  if (before.length > MAX_CHARS || after.length > MAX_CHARS || IGNORES_CASE.test(after)) return null;
  // Filters of Cloud Logging ignore the case.
  if (type.has('logging') || findRole(argument) !== 'watches') return null;
  const [was, is] = [before, after].map(listLiterals);
  const lost = was!.filter((text) => !is!.includes(text));
  const added = is!.filter((text) => !was!.includes(text));
  if (lost.length === 0 || lost.length !== added.length) return null;
  const is_case = lost.every((text, at) => text.toLowerCase() === added[at]!.toLowerCase());
  return is_case ? FINDING : null;
}

const FINDING: ValueFinding = {
  rule: 'R-VAL-CONDITION',
  level: 'high',
  direction: 'weakening',
  consequence: 'Letter case counts in the compared text, so what matched so far no longer matches',
  beyond_rules: true,
};

function listLiterals(query: string): string[] {
  return [...query.replace(LINE_COMMENT, '$1').matchAll(COMPARED)].map(([, , text]) => text!);
}
