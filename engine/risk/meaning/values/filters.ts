import { compareConditions } from '../../../canonical/condition-alternatives.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { JsonValue, RiskLevel } from '../../../model/result.ts';
import { parseJson } from '../../attributes/values.ts';
import { isUnset } from './numbers.ts';
import { compareRanges } from './numeric-filters.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Types that deliver every event when they have no filter. */
const DELIVERS = listWords('subscription trigger mapping pipe notification stream destination forwarder');
const FILTER = listWords('filter pattern criteria');
/** The greatest values of scales of severity. */
const SCALES: readonly (readonly [word: string, most: number])[] = [
  ['severity', 10],
  ['cvss', 10],
  ['normalized', 100],
  ['percent', 100],
  ['score', 100],
];
/** Properties that only alerts and findings have. */
const GRADES = /severity|urgency|priority|alarm|alert/i;
const MAX_CHARS = 20_000;
const MAX_DEPTH = 8;

const NEVER = 'No event matches any more: the limit is beyond the scale';
const FEWER = 'Fewer events are delivered';
const OTHER_CASE = 'No event may match any more: filters tell capital and small letters apart';
const RANGES = {
  turned: 'Other events are delivered: the range is turned around',
  capped: 'Events with the greatest values are no longer delivered',
  narrower: FEWER,
} as const;

/** Judges filters of events in JSON: alternatives that are gone, and limits that no event reaches. */
export function judgeFilter({ words, type, before, after, purpose }: Argument): ValueFinding | null {
  if (!hasAny(words, FILTER) || typeof after !== 'string') return null;
  if (isUnset(before) && after !== '' && hasAny(type, DELIVERS))
    return report(purpose === 'security' ? 'high' : 'medium', FEWER);
  if (typeof before !== 'string') return null;
  const has_syntax = /^\s{0,20}\{/.test(before);
  if (has_syntax && before !== after && before.toLowerCase() === after.toLowerCase()) return report('high', OTHER_CASE);
  if (IN_BRACES.test(before) && IN_BRACES.test(after) && !/["']\s{0,3}:/.test(after)) return judgeBraces(before, after);
  const [from, to] = [parseJson(before, MAX_CHARS), parseJson(after, MAX_CHARS)];
  if (!isObject(from) || !isObject(to)) return null;
  if (isImpossible(to, '', MAX_DEPTH) && !isImpossible(from, '', MAX_DEPTH)) return report('high', NEVER);
  const range = compareRanges(from, to);
  if (range !== null) {
    const grave = range === 'turned' || (range === 'capped' && (purpose !== 'other' || GRADES.test(before)));
    return report(grave ? 'high' : 'medium', RANGES[range]);
  }
  if (!isNarrower(from, to, MAX_DEPTH)) return null;
  const is_alert = purpose !== 'other' || Object.keys(from).some((name) => GRADES.test(name));
  return report(is_alert ? 'medium' : 'low', FEWER);
}

const IN_BRACES = /^\s{0,20}\{.{1,2000}\}\s{0,20}$/s;

/** Fields of records of who did what, which filters watch for attacks. */
const CALLS = /userIdentity|errorCode|eventName|eventSource|additionalEventData/;

/** Patterns of CloudWatch: a condition in braces. */
function judgeBraces(before: string, after: string): ValueFinding | null {
  const change = compareConditions(before.trim().slice(1, -1), after.trim().slice(1, -1));
  if (change === null || change.lost.length === 0) return null;
  return report(CALLS.test(before) ? 'high' : 'medium', FEWER);
}

function isImpossible(value: JsonValue, name: string, depth: number): boolean {
  if (depth === 0) return false;
  if (isObject(value)) return Object.entries(value).some(([key, below]) => isImpossible(below, key, depth - 1));
  return Array.isArray(value) && value.length > 0 && value.every((item) => isBeyond(item, name));
}

/** `{"numeric": [">=", 40]}` for a scale that ends at 10. */
function isBeyond(item: JsonValue, name: string): boolean {
  if (!isObject(item)) return false;
  const test = item['numeric'];
  const most = SCALES.find(([word]) => name.toLowerCase().includes(word))?.[1];
  if (!Array.isArray(test) || most === undefined) return false;
  return test.some((operator, at) => {
    const limit = test[at + 1];
    return typeof limit === 'number' && ((operator === '>=' && limit > most) || (operator === '>' && limit >= most));
  });
}

/** Whether alternatives or whole branches are gone, and nothing is added. */
function isNarrower(from: JsonValue, to: JsonValue, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(from) && Array.isArray(to)) {
    const known = new Set(from.map((item) => JSON.stringify(item)));
    return to.length < from.length && to.every((item) => known.has(JSON.stringify(item)));
  }
  if (!isObject(from) || !isObject(to)) return false;
  const keys = Object.keys(to);
  if (keys.some((key) => !Object.hasOwn(from, key))) return Object.keys(from).every((key) => Object.hasOwn(to, key));
  return keys.some((key) => isNarrower(from[key] ?? null, to[key] ?? null, depth - 1));
}

function report(level: RiskLevel, consequence: string): ValueFinding {
  return { rule: 'R-VAL-FILTER', level, direction: 'weakening', consequence, beyond_rules: true };
}
