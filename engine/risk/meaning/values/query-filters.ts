/** Judges the filters inside queries of alarms: what they no longer match is no longer noticed. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { readComparison } from './thresholds.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const QUERY = listWords('query expr expression condition filter kql statement search');
const ALARM = listWords('alarm alert monitor detector detection condition slo sentinel');
const MAX_CHARS = 20_000;
const MAX_STAGES = 100;
/** Steps of a pipeline that let through a part of what reaches them. */
const FILTERS = /^(?:where|filter|search|having)\b/i;
const CONSTANT =
  /^(?:where|filter|search|having)\s{1,5}\(?(?:false|0\s{0,3}={1,2}\s{0,3}1|1\s{0,3}={1,2}\s{0,3}[02])\)?$/i;
/** What stands before a number, after the name of what is compared. */
const SIGN = /(?:[<>=]=|[<>=])$/;
const NO_NAME = /[^\w.]/;
const NUMBER = /^\d{1,12}(?:\.\d{1,6})?(?![\w.])/;

/** The greatest values of properties of events, by a part of their names. */
const GREATEST: readonly (readonly [name: RegExp, most: number])[] = [
  [/severitylevel$/i, 4],
  [/severity|cvss/i, 10],
  [/(?:status|result|response)_?code|httpstatus/i, 599],
  [/percent|pct|score/i, 100],
];

/** Whether an argument of these words holds the query of an alarm. */
export function isAlarmQuery(
  words: ReadonlySet<string>,
  type: ReadonlySet<string>,
  outer: ReadonlySet<string>,
): boolean {
  return hasAny(words, QUERY) && (hasAny(type, ALARM) || hasAny(outer, ALARM));
}

/** The same by the type and the path of an argument. */
export function holdsAlarmQuery(type: string, path: readonly (string | number)[]): boolean {
  const names = path.filter((segment) => typeof segment === 'string').map((name) => new Set(splitWords(name)));
  return isAlarmQuery(names.at(-1) ?? new Set(), new Set(splitWords(type)), new Set());
}

export function judgeQueryFilter({ words, type, outer, before, after, parent }: Argument): ValueFinding | null {
  if (!isAlarmQuery(words, type, outer) || !isQuery(before) || !isQuery(after)) return null;
  const found = compareNumbers(before, after) ?? compareStages(before, after);
  if (found === null || found === 'nothing') return found === null ? null : report('high', NEVER);
  // An alarm that fires when there is too little fires later the more is counted.
  const is_wider = (found === 'wider') === (readComparison(parent)?.above ?? true);
  return is_wider ? WIDER : report('medium', 'The alarm no longer counts some of what it counted');
}

type Change = 'wider' | 'narrower' | 'nothing';

const NEVER = 'The alarm can never fire: no event passes the filter of its query';
const WIDER: ValueFinding = {
  rule: 'R-VAL-CONDITION',
  level: 'low',
  direction: 'strengthening',
  consequence: 'The alarm counts more than before',
};

function report(level: ValueFinding['level'], consequence: string): ValueFinding {
  return { rule: 'R-VAL-CONDITION', level, direction: 'weakening', consequence, beyond_rules: level === 'high' };
}

function isQuery(value: MaybeJson): value is string {
  return typeof value === 'string' && value.length <= MAX_CHARS;
}

/** Two texts that differ only in a number behind a comparison. */
function compareNumbers(before: string, after: string): Change | null {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  while (start > 0 && /[\d.]/.test(before[start - 1]!)) start--;
  const left = before.slice(Math.max(0, start - 120), start).trimEnd();
  const [sign] = SIGN.exec(left) ?? [];
  const name = left
    .slice(0, left.length - (sign?.length ?? 0))
    .trimEnd()
    .split(NO_NAME)
    .at(-1);
  const [was, is] = [NUMBER.exec(before.slice(start))?.[0], NUMBER.exec(after.slice(start))?.[0]];
  if (!name || sign === undefined || was === undefined || is === undefined) return null;
  if (before.slice(start + was.length) !== after.slice(start + is.length)) return null;
  return compareLimit(name, sign, Number(was), Number(is));
}

function compareLimit(name: string, sign: string, from: number, to: number): Change | null {
  const most = GREATEST.find(([pattern]) => pattern.test(name))?.[1] ?? Number.POSITIVE_INFINITY;
  const is_reachable = sign === '>' ? to < most : sign === '<' ? to > 0 : sign === '<=' || to <= most;
  if (!is_reachable) return 'nothing';
  if (sign.startsWith('=') || from === to) return null;
  return to > from === sign.startsWith('>') ? 'narrower' : 'wider';
}

/** Two pipelines that differ only in filters that come or go. */
function compareStages(before: string, after: string): Change | null {
  const [from, to] = [splitStages(before), splitStages(after)];
  if (from === null || to === null) return null;
  const added = to.filter((stage) => !from.includes(stage));
  const lost = from.filter((stage) => !to.includes(stage));
  if (added.some((stage) => CONSTANT.test(stage))) return 'nothing';
  if (![...added, ...lost].every((stage) => FILTERS.test(stage))) return null;
  if (added.length === 0) return lost.length === 0 ? null : 'wider';
  return lost.length === 0 ? 'narrower' : null;
}

function splitStages(query: string): string[] | null {
  const stages = query.split('|', MAX_STAGES + 1).map((stage) => stage.replace(/\s{1,200}/g, ' ').trim());
  return stages.length < 2 || stages.length > MAX_STAGES ? null : stages;
}
