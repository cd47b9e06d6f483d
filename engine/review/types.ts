import type { Action, PlanAnalysis, RiskLevel } from '../result.ts';

/** Where a comment is shown. Both read GitHub-flavoured Markdown; GitLab also obeys lines that begin with a slash. */
export type Dialect = 'github' | 'gitlab';

/** How long a noise pattern has been known, by its fingerprint: 32 lower-case hex. */
export interface PatternHistory {
  occurrence_count: number;
  /** ISO 8601 */
  first_seen: string;
}
export type NoiseHistory = ReadonlyMap<string, PatternHistory>;

/** What of a plan is remembered to tell what the next push changes; small enough to be a column. */
export interface PlanSnapshot {
  risk_level: RiskLevel;
  total: number;
  by_action: Partial<Record<Action, number>>;
  known_noise: number;
  /** Changes that destroy, and those of level high and above: at most 500. */
  notable: { address: string; action: Action; level: RiskLevel }[];
}

/**
 * What became of one plan.
 *
 * `analyzed`: judged by the service, under the rules of the org. `deferred`: the service takes no more for now; judged by
 * the same rules, or by the built-in ones alone where those of the org could not be read, and asked again at `due_at`.
 * `waiting`: no result yet. `failed`: no result to come, `note` says why in words for people.
 */
export type PlanOutcome =
  | { state: 'analyzed'; analysis: PlanAnalysis; model: string | null; trace_ids: readonly string[] }
  | {
      state: 'deferred';
      by: 'organization_rules' | 'builtin_rules';
      analysis: PlanAnalysis;
      note: string;
      due_at: Date | null;
    }
  | { state: 'waiting' }
  | { state: 'failed'; note: string };

/** One plan of a pull request; a run of a repository with several root modules makes several. */
export interface ReviewedPlan {
  /** Path of the plan among the run's artifacts: what tells modules apart. */
  key: string;
  /** The commit that was planned, 40 hex. */
  head_sha: string;
  outcome: PlanOutcome;
  /** The same plan of the push before; null when there was none. */
  previous: PlanSnapshot | null;
  /** Where the whole result can be read; null when there is no such place. */
  url: string | null;
  /** The CI run that made the plan; null where it is not known. */
  run_url: string | null;
}

/** A pull request at one moment, with all that its one comment tells. */
export interface Review {
  dialect: Dialect;
  /** What the comment is recognised by, besides who wrote it: 32 hex, the same for the life of the pull request. */
  key: string;
  /** The newest commit of the pull request, 40 hex. */
  head_sha: string;
  /** Number of the CI run that made the newest plans: a later run never has a smaller one. */
  run: number;
  state: 'open' | 'closed' | 'merged';
  plans: readonly ReviewedPlan[];
  history: NoiseHistory;
  /** Level from which the check fails; null = never. */
  fail_on: RiskLevel | null;
}

/** `action_required`: something was not judged by all that the organization has decided, which is never a pass. */
export type CheckConclusion = 'success' | 'neutral' | 'failure' | 'action_required';

/** The check run `drift/plan`, or the commit status of that name. */
export interface ReviewCheck {
  /** null while something is still waited for. */
  conclusion: CheckConclusion | null;
  /** The verdict in one line of plain text, at most 140 characters. */
  title: string;
  /** Markdown, at most 65,000 bytes. */
  summary: string;
  /** Markdown with the machine-readable result in a fence, at most 65,000 bytes. */
  text: string;
}

export interface RenderedReview {
  /** The comment: Markdown of at most 60,000 UTF-8 bytes, its first line our mark. */
  comment: string;
  /** 64 hex over all that the comment says but for when it was said: equal means that there is nothing to edit. */
  hash: string;
  /** Nothing changes, nothing drifted, nothing is wrong: not worth a first comment. */
  nothing_to_report: boolean;
  /** The highest level of all plans; null while none is known. */
  risk_level: RiskLevel | null;
  check: ReviewCheck;
}

/** The mark in a comment's first line, as it is read back. */
export interface ReviewMark {
  key: string;
  head_sha: string;
  run: number;
  hash: string;
}
