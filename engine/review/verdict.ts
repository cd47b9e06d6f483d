import { findCheckLevel } from '../model/check-level.ts';
import { addCounts, formatActionCounts, plural } from '../model/counts.ts';
import { compareLevels, maxLevel } from '../model/levels.ts';
import type { RiskLevel } from '../model/result.ts';
import { countLive } from '../render/live.ts';
import type { PlanOutcome, Review } from './types.ts';
import { isJudged, judgedPlans } from './weights.ts';

/** The combined verdict on all plans of a pull request. */
export interface Verdict {
  /** null if no plan is analyzed yet. */
  level: RiskLevel | null;
  /** The level that the check compares with its limit: that of a concern, if one counts and is above `level`. */
  check_level: RiskLevel | null;
  blocked: boolean;
  /** `2 to delete`, `1 to replace`. */
  destructive: string[];
  /** `4 to update`. */
  constructive: string[];
  total: number;
  noise: number;
  /** What scans found: `1 resource already gone`. */
  live: string[];
  waiting: number;
  failed: number;
  /** Number of plans analyzed with built-in rules only. */
  by_builtin_rules: number;
  /** Whether there is no plan for the newest commit. */
  stale: boolean;
}

export function computeVerdict(review: Pick<Review, 'plans' | 'head_sha'>): Verdict {
  const judged = judgedPlans(review).map(({ outcome }) => outcome.analysis);
  const count = (state: string) => review.plans.filter(({ outcome }) => outcome.state === state).length;
  const levels = judged.map(({ risk_level }) => risk_level).sort(compareLevels);
  const counts = addCounts(judged.map(({ summary }) => summary));
  const { destructive, others } = formatActionCounts(counts);
  return {
    level: levels.at(-1) ?? null,
    check_level: judged.length === 0 ? null : maxLevel(...judged.map(findCheckLevel)),
    blocked: judged.some(({ risk }) => risk.blocked),
    destructive,
    constructive: others,
    total: counts.total,
    noise: judged.reduce((n, { plan_noise }) => n + plan_noise.known_benign, 0),
    live: countLive(judged.flatMap(({ changes }) => changes)),
    waiting: count('waiting'),
    failed: count('failed'),
    by_builtin_rules: review.plans.filter(({ outcome }) => isByBuiltinRules(outcome)).length,
    stale: review.plans.length > 0 && review.plans.every(({ head_sha }) => head_sha !== review.head_sha),
  };
}

/** For a verdict that is not final, because the rules of the organization could not be read. */
export const BY_BUILTIN_RULES = 'analyzed with built-in rules only';

export function isByBuiltinRules(outcome: PlanOutcome): boolean {
  return outcome.state === 'deferred' && outcome.by === 'builtin_rules';
}

/** `high risk`, `high risk, blocked by a rule`; without a result, its status. */
export function describeLevel({ level, blocked, waiting }: Pick<Verdict, 'level' | 'blocked' | 'waiting'>): string {
  if (level === null) return waiting > 0 ? 'waiting for a plan' : 'no result';
  const label = level === 'none' ? 'no risk' : `${level} risk`;
  return blocked ? `${label}, blocked by a rule` : label;
}

/** Incomplete parts such as `2 plans not analyzed`. */
export function formatGaps({ level, waiting, failed, by_builtin_rules }: Verdict): string[] {
  const gaps = [
    failed > 0 ? `${plural(failed, 'plan')} not analyzed` : '',
    by_builtin_rules > 0 ? `${plural(by_builtin_rules, 'plan')} ${BY_BUILTIN_RULES}` : '',
    waiting > 0 && level !== null ? `waiting for ${plural(waiting, 'plan')}` : '',
  ];
  return gaps.filter((gap) => gap !== '');
}

/** `17 of 23 changes ignored as noise`; empty when there is no noise. */
export function noiseShare({ noise, total }: Verdict): string {
  return noise > 0 ? `${noise} of ${plural(total, 'change')} ignored as noise` : '';
}

/** The commit that the comment is about: the head, or else the commit of an older plan. */
export function plannedSha({ plans, head_sha }: Pick<Review, 'plans' | 'head_sha'>): string {
  if (plans.some((plan) => plan.head_sha === head_sha)) return head_sha;
  return (plans.find(isJudged) ?? plans[0])?.head_sha ?? head_sha;
}
