/** Judges queries of alarms that come to hold a comparison which is never true. */
import { member } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const QUERY = listWords('query expr expression condition filter when');
const ALARM = listWords('alarm alert monitor detector detection condition slo task trigger');
const MAX_CHARS = 20_000;

/** These functions return one or nothing. */
const ABSENCE = /^absent(?:_over_time)?\s{0,3}\(/;
/** Not 1: the end of a query of such a function. */
const NEVER_ONE =
  /\)\s{0,3}(?:==\s{0,3}(?:0|[2-9])|<\s{0,3}(?:0|1)|<=\s{0,3}0|>\s{0,3}[1-9]|!=\s{0,3}1)(?:\.0)?\s{0,3}$/;
/** `ResultCode == "5xx"`: a class of codes, which no single code is. */
const CLASS_OF_CODES = /\b\w{0,60}(?:code|status)\s{0,3}==?\s{0,3}["'][1-5]xx["']/i;
/** `status="5.."` and `pod="api-.*"`: a pattern for `=~`, compared as a plain text. */
const PLAIN_PATTERN = /[{,]\s{0,3}\w{1,60}="(?:\d\.\.|[\w/-]{0,60}\.[*+])"/;
/** `== "prod-*"`: languages with `==` compare a star as a star. */
const PLAIN_STAR = /\w\s{0,3}==\s{0,3}["'][\w./-]{0,60}\*["']/;

/** One of several conditions is enough, so that another one may hold. */
const ALTERNATIVE = /\bor\b|\|\|/i;

/** Counts, rates and states end in a comparison with less than zero; differences and forecasts can be there. */
const BELOW_ZERO = /(?:<\s{0,3}-?0{1,9}(?:\.0{1,9})?|<=?\s{0,3}-\d{1,15}(?:\.\d{1,9})?)\s{0,3}$/;
const SIGNED = /\s-\s|\b(?:delta|idelta|deriv|predict_linear|offset|temperature|balance|drift|skew|change)|diff/i;
/** `1 = 2`, as in `AND 1 = 2`; the two numbers are compared in the code. */
const CONSTANTS =
  /(?:^|\(|\b(?:and|where)\s)\s{0,3}(\d{1,9})\s{0,3}==?\s{0,3}(\d{1,9})\s{0,3}(?:$|\)|\b(?:and|facet|limit|since|group|timeseries)\b)/i;
const FALSE = /(?:^|\b(?:and|where)\s)\s{0,3}false\s{0,3}$/i;

/** Whether a target answers: 0 or 1. */
const UP = /\bup\s{0,3}(?:\{[^{}]{0,500}\}\s{0,3})?(?:==\s{0,3}[2-9]|>\s{0,3}[1-9]|<\s{0,3}0)/;

const PATTERNS = [UP, CLASS_OF_CODES, PLAIN_PATTERN, PLAIN_STAR];

export function judgeImpossible({ words, type, outer, parent, before, after }: Argument): ValueFinding | null {
  if (typeof before !== 'string' || typeof after !== 'string' || !hasAny(words, QUERY)) return null;
  if (!(typeof member(parent, 'alert') === 'string' || hasAny(type, ALARM) || hasAny(outer, ALARM))) return null;
  if (before.length > MAX_CHARS || after.length > MAX_CHARS) return null;
  return isImpossible(after) && !isImpossible(before) ? FINDING : null;
}

const FINDING: ValueFinding = {
  rule: 'R-VAL-CONDITION',
  level: 'high',
  direction: 'weakening',
  consequence: 'It never fires or runs: its condition compares with a value that never occurs',
  beyond_rules: true,
};

function isImpossible(query: string): boolean {
  if (ALTERNATIVE.test(query)) return false;
  const [, left, right] = CONSTANTS.exec(query) ?? [];
  if (left !== right || FALSE.test(query)) return true;
  if (BELOW_ZERO.test(query) && !SIGNED.test(query)) return true;
  return (ABSENCE.test(query.trim()) && NEVER_ONE.test(query)) || PATTERNS.some((pattern) => pattern.test(query));
}
