import { member } from '../../attributes/values.ts';
import { readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const QUERY = listWords('query expr expression condition');
const ALARM = listWords('alarm alert monitor detector condition slo rule rules');
const COMPARISON = /^(.{1,4000}[^<>=!])(>=|<=|>|<)\s{0,8}(-?\d{1,15}(?:\.\d{1,9})?)$/s;
/** Queries of a share in percent. */
const PERCENT = /\b100(?:\.0)?\s{0,4}\*|\*\s{0,4}100(?:\.0)?\b|percent|utilization|_pct\b/i;

/** Queries of a share from 0 to 1. */
const RATIO = /in_use|ratio|fraction|availability|\/\s{0,4}(?:sum|count|avg|max)|_total\{/i;

/** Judges the threshold at the end of a query of metrics, as monitors and Prometheus write it. */
export function judgeQueryThreshold(argument: Argument): ValueFinding | null {
  const { words, type, outer, before, after, parent } = argument;
  const is_rule = typeof member(parent, 'alert') === 'string';
  if (is_rule && words.has('for') && words.size === 1) return judgeDuration(argument);
  if (!hasAny(words, QUERY) || !(is_rule || hasAny(type, ALARM) || hasAny(outer, ALARM))) return null;
  const [from, to] = [readQuery(before), readQuery(after)];
  if (from === null || to === null || from.query !== to.query) return null;
  if (from.threshold === to.threshold && from.sign[0] === to.sign[0]) return null;
  const most = PERCENT.test(to.query) ? 100 : Number.POSITIVE_INFINITY;
  const above = to.sign.startsWith('>');
  if (from.sign[0] !== to.sign[0]) return weaken('high', 'The comparison is turned around');
  if (above ? to.threshold > most : to.threshold < 0) return weaken('high', NEVER);
  const [less, more] = above ? [from.threshold, to.threshold] : [to.threshold, from.threshold];
  if (more < less) return { ...weaken('low', 'The alarm fires earlier'), direction: 'strengthening' };
  if (above && isShare(from.threshold) && !isShare(to.threshold) && RATIO.test(to.query)) return weaken('high', NEVER);
  const ratio = less > 0 ? more / less : Number.POSITIVE_INFINITY;
  if (ratio >= GRAVE_RATIO && less > 0) return weaken('high', 'The alarm fires far too late, if at all');
  return weaken(ratio >= 2 ? 'medium' : 'low', 'The alarm fires later');
}

/** Such a difference is a mistaken unit rather than tuning. */
const GRAVE_RATIO = 1000;

function isShare(threshold: number): boolean {
  return threshold > 0 && threshold <= 1;
}

/** How long a condition must hold before a rule of Prometheus fires. */
function judgeDuration({ words, before, after }: Argument): ValueFinding | null {
  const [from, to] = [readSeconds(before, words, 1), readSeconds(after, words, 1)];
  if (to === null || to < HOUR || (from !== null && to < from * 10)) return null;
  return weaken(to >= 6 * HOUR ? 'high' : 'medium', 'The alarm fires much later');
}

const HOUR = 3600;
const NEVER = 'The alarm can never fire: its threshold cannot be reached';

function weaken(level: ValueFinding['level'], consequence: string): ValueFinding {
  return { rule: 'R-VAL-THRESHOLD', level, direction: 'weakening', consequence };
}

function readQuery(value: Argument['after']): { query: string; sign: string; threshold: number } | null {
  const [, query, sign, threshold] = (typeof value === 'string' ? COMPARISON.exec(value.trim()) : null) ?? [];
  if (query === undefined || sign === undefined) return null;
  return { query: query.replace(/\s+/g, ''), sign, threshold: Number(threshold) };
}
