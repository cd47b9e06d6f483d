import { createHash } from 'node:crypto';
import type { NoiseHistory, PatternHistory, PlanOutcome, Review, ReviewedPlan, RiskLevel } from '../../engine/index.ts';
import type { HeldPullRequest, PullRequest, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import type { ConnectedSource } from '../ports.ts';

/** A plan and what has become of it. */
export interface PlanWithOutcome {
  plan: PullRequestPlan;
  outcome: PlanOutcome;
}

export interface ReviewOptions {
  fail_on: RiskLevel | null;
  /** Where people read the result of a scan run; null = nowhere. */
  resultUrl(scan_run_id: string): string | null;
}

/** All that the one comment tells of a pull request, as it stands now. */
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
 * The same for the life of the pull request, also when its repository is linked anew; and nothing that tells of the org, whose
 * id nobody guesses: comments are public.
 */
export function reviewKey({ org_id, repo, pr_number }: Pick<PullRequest, 'org_id' | 'repo' | 'pr_number'>): string {
  const text = `review|${org_id}|${repo.toLowerCase()}|${pr_number}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Since when the noise of these plans is known; asked only where there is any. */
async function loadNoiseHistory(
  { dpa, source }: ConnectedSource,
  { repo }: PullRequest,
  outcomes: readonly PlanWithOutcome[],
): Promise<NoiseHistory> {
  const has_noise = outcomes.some(
    ({ outcome }) => 'analysis' in outcome && outcome.analysis.plan_noise.known_benign > 0,
  );
  if (!has_noise) return new Map();
  const cut = repo.lastIndexOf('/');
  const query = { repo_owner: repo.slice(0, cut), repo_name: repo.slice(cut + 1), include_suppressed: true };
  const { patterns } = await dpa.call('listPlanNoise', { path: { id: source.org_id }, query });
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

/** One pattern stands in the list once for each address that shows it. */
function mergeHistory(one: PatternHistory, other: PatternHistory): PatternHistory {
  return {
    occurrence_count: Math.max(one.occurrence_count, other.occurrence_count),
    first_seen: [one.first_seen, other.first_seen].sort()[0] ?? one.first_seen,
  };
}
