import type { PlanAnalysis } from '../../../engine/model/result.ts';
import type { PlanOutcome, Review, ReviewedPlan } from '../../../engine/review/types.ts';

export const HEAD = 'a'.repeat(40);
export const OLDER = 'b'.repeat(40);

export function analyzed(analysis: PlanAnalysis): PlanOutcome {
  return { state: 'analyzed', analysis, model: null, trace_ids: [] };
}

export function aPlan(outcome: PlanOutcome, more: Partial<ReviewedPlan> = {}): ReviewedPlan {
  return { key: 'infra/plan.json', head_sha: HEAD, outcome, previous: null, url: null, run_url: null, ...more };
}

export function aReview(plans: ReviewedPlan[], more: Partial<Review> = {}): Review {
  return {
    dialect: 'github',
    key: '0'.repeat(32),
    head_sha: HEAD,
    run: 7,
    state: 'open',
    plans,
    history: new Map(),
    fail_on: null,
    ...more,
  };
}
