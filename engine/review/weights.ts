import { RISK_LEVELS, type RiskLevel } from '../model/result.ts';
import type { PlanOutcome, Review, ReviewedPlan } from './types.ts';

/** A plan with a result. */
export type JudgedPlan = ReviewedPlan & { outcome: Extract<PlanOutcome, { state: 'analyzed' | 'deferred' }> };

export function isJudged(plan: ReviewedPlan): plan is JudgedPlan {
  return plan.outcome.state === 'analyzed' || plan.outcome.state === 'deferred';
}

export function toWeight(level: RiskLevel): number {
  return RISK_LEVELS.indexOf(level);
}

/** Plans with a result, riskiest first. */
export function judgedPlans({ plans }: Pick<Review, 'plans'>): JudgedPlan[] {
  return plans.filter(isJudged).sort((a, b) => {
    const [one, other] = [a.outcome.analysis, b.outcome.analysis];
    return (
      Number(other.risk.blocked) - Number(one.risk.blocked) ||
      toWeight(other.risk_level) - toWeight(one.risk_level) ||
      countDestroyed(b) - countDestroyed(a) ||
      (a.key < b.key ? -1 : 1)
    );
  });
}

export function countDestroyed({ outcome }: JudgedPlan): number {
  return outcome.analysis.summary.delete + outcome.analysis.summary.replace;
}

/** No changes, no drift, and everything was evaluated. */
export function hasNothingToReport({ outcome }: JudgedPlan): boolean {
  const { summary, output_changes, risk, risk_level } = outcome.analysis;
  const { checks } = summary;
  return (
    summary.total === 0 &&
    summary.drift_detected === 0 &&
    summary.deferred === 0 &&
    summary.plan_errored !== true &&
    summary.plan_complete !== false &&
    checks.fail + checks.error === 0 &&
    output_changes.every(({ action }) => action === 'no-op') &&
    risk_level === 'none' &&
    !risk.blocked
  );
}
