import { createHash } from 'node:crypto';
import type { NoiseHistory, PatternHistory, PlanOutcome, Review, ReviewedPlan, RiskLevel } from '../../engine/index.ts';
import type { HeldPullRequest, PullRequest, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import type { ConnectedSource } from '../ports.ts';

/** A plan and its outcome. */
export interface PlanWithOutcome {
  plan: PullRequestPlan;
  outcome: PlanOutcome;
}

export interface ReviewOptions {
  fail_on: RiskLevel | null;
  /** The page with the result of a scan run; null = none. */
  resultUrl(scan_run_id: string): string | null;
}

/** Collects everything that the comment of a pull request shows. */
export async function composeReview(
  connected: ConnectedSource,
  { pull_request, previous }: HeldPullRequest,
  outcomes: readonly PlanWithOutcome[],
  { fail_on, resultUrl }: ReviewOptions,
): Promise<Review> {
  const plans = outcomes.map(({ plan, outcome }): ReviewedPlan => {
    const { plan_key, head_sha, scan_run_id, run_url } = plan;
    const url = scan_run_id === null ? null : resultUrl(scan_run_id);
    return { key: plan_key, head_sha, outcome, previous: previous.get(plan_key) ?? null, url, run_url };
  });
  const { head_sha, state } = pull_request;
  return {
    dialect: connected.platform.dialect,
    key: reviewKey(pull_request),
    head_sha,
    run: Math.max(0, ...outcomes.map(({ plan }) => plan.run_number)),
    state,
    plans,
    history: await loadNoiseHistory(connected, pull_request, outcomes),
    fail_on,
  };
}

/**
 * A key that stays the same for the life of the pull request, also if its repository is linked again. It does not reveal the
 * organization, because comments are public and the organization ID cannot be guessed.
 */
export function reviewKey({ org_id, repo, pr_number }: Pick<PullRequest, 'org_id' | 'repo' | 'pr_number'>): string {
  const text = `review|${org_id}|${repo.toLowerCase()}|${pr_number}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Loads since when the noise of these plans is known; sends no request if there is none. */
async function loadNoiseHistory(
  { org_id, dpa }: ConnectedSource,
  { repo }: PullRequest,
  outcomes: readonly PlanWithOutcome[],
): Promise<NoiseHistory> {
  const has_noise = outcomes.some(
    ({ outcome }) => 'analysis' in outcome && outcome.analysis.plan_noise.known_benign > 0,
  );
  if (!has_noise) return new Map();
  const cut = repo.lastIndexOf('/');
  const query = { repo_owner: repo.slice(0, cut), repo_name: repo.slice(cut + 1), include_suppressed: true };
  const { patterns } = await dpa.call('listPlanNoise', { path: { id: org_id }, query });
  const history = new Map<string, PatternHistory>();
  for (const { fingerprint, occurrence_count, first_seen } of patterns) {
    const known = history.get(fingerprint);
    history.set(
      fingerprint,
      known === undefined ? { occurrence_count, first_seen } : mergeHistory(known, { occurrence_count, first_seen }),
    );
  }
  return history;
}

/** The list has one entry per pattern and address. */
function mergeHistory(one: PatternHistory, other: PatternHistory): PatternHistory {
  return {
    occurrence_count: Math.max(one.occurrence_count, other.occurrence_count),
    first_seen: [one.first_seen, other.first_seen].sort()[0] ?? one.first_seen,
  };
}
