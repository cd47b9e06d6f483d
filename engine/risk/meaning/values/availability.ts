import { member } from '../../attributes/values.ts';
import { readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const HEALTHY = listWords('available healthy');
const LEAST = listWords('min minimum');
const BUDGET = listWords('disruption pdb');
const MACHINES = listWords('instance node machine vm autoscaling autoscaler scale fleet');

const ALL_AT_ONCE = 'All instances may be stopped at the same time';
const NONE_AT_ALL = 'No instance may be evicted, so nodes cannot be drained or updated';

/** Judges how many instances must stay: a budget that blocks every eviction, and one that protects none. */
export function judgeAvailability(argument: Argument): ValueFinding | null {
  const { words, type, outer, before, after } = argument;
  const counts_down = words.has('unavailable') || (words.has('node') && outer.has('disruption') && outer.has('budget'));
  if (!counts_down && !(hasAny(words, HEALTHY) && hasAny(words, LEAST))) return null;
  const to = readShare(after, words);
  if (to === null) return null;
  const kept = counts_down ? (reachesAll(argument) ? 'none' : flip(to)) : to;
  const is_budget = hasAny(type, BUDGET) || hasAny(outer, BUDGET);
  // Machines need minutes to start, and budgets only matter when nodes are drained.
  const is_outage = !is_budget && (hasAny(type, MACHINES) || hasAny(outer, MACHINES));
  if (kept === 'none' && to !== readShare(before, words)) return report(is_outage ? 'high' : 'medium', ALL_AT_ONCE);
  return report(kept === 'all' && is_budget ? 'medium' : 'low', NONE_AT_ALL);
}

const COUNTS = ['node_count', 'replicas', 'target_size', 'desired_size', 'desired_capacity', 'instances'];

/** Whether as many may be missing as there are. */
function reachesAll({ after, holders }: Argument): boolean {
  const counts = holders.flatMap((holder) => COUNTS.map((name) => readNumber(member(holder, name))));
  const least = Math.min(...counts.filter((count) => count !== null && count > 0).map(Number));
  return !String(after).endsWith('%') && (readNumber(after) ?? 0) >= least;
}

type Share = 'none' | 'some' | 'all';

/** How much of the instances a number or a percentage is. */
function readShare(value: Argument['after'], words: ReadonlySet<string>): Share | null {
  const amount = readNumber(value);
  if (amount === null) return null;
  if (amount === 0) return 'none';
  const is_percent = words.has('percent') || words.has('percentage') || String(value).endsWith('%');
  return is_percent && amount >= 100 ? 'all' : 'some';
}

function flip(share: Share): Share {
  return share === 'none' ? 'all' : share === 'all' ? 'none' : 'some';
}

function report(level: 'low' | 'medium' | 'high', consequence: string): ValueFinding {
  const direction = level === 'low' ? 'neutral' : 'weakening';
  return { rule: 'R-VAL-AVAILABILITY', level, direction, consequence, beyond_rules: level === 'high' };
}
