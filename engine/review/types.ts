import type { Action, PlanAnalysis, RiskLevel } from '../model/result.ts';

/** Host of the comment. Both render GitHub-flavored Markdown; GitLab also runs lines that start with a slash. */
export type Dialect = 'github' | 'gitlab';

/** History of a noise pattern. */
export interface PatternHistory {
  occurrence_count: number;
  /** ISO 8601 */
  first_seen: string;
}
/** By fingerprint: 32 lowercase hex digits. */
export type NoiseHistory = ReadonlyMap<string, PatternHistory>;

/** Summary of a plan for the comparison with the next push; small enough for a database column. */
export interface PlanSnapshot {
  risk_level: RiskLevel;
  total: number;
  by_action: Partial<Record<Action, number>>;
  known_noise: number;
  /** Destructive changes and changes of level high or above; at most 500. */
  notable: { address: string; action: Action; level: RiskLevel }[];
}

/**
 * The outcome of one plan.
 *
 * `analyzed`: analyzed by the service with the rules of the organization. `deferred`: the service currently rejects
 * requests; analyzed with the rules of the organization, or with built-in rules only if those could not be read, and
 * submitted again at `due_at`. `waiting`: no result yet. `failed`: no result; `note` is the reason shown to people.
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

/** One plan of a pull request; a CI run with several root modules produces several plans. */
export interface ReviewedPlan {
  /** Path of the plan in the artifacts of the run; identifies the module. */
  key: string;
  /** The commit that was planned, 40 hex. */
  head_sha: string;
  outcome: PlanOutcome;
  /** The same plan in the previous push; null if there was none. */
  previous: PlanSnapshot | null;
  /** URL of the full result; null if there is none. */
  url: string | null;
  /** URL of the CI run that created the plan; null if unknown. */
  run_url: string | null;
}

/** State of a pull request with everything its comment shows. */
export interface Review {
  dialect: Dialect;
  /** Identifies the comment, together with its author: 32 hex digits, constant for the pull request. */
  key: string;
  /** The newest commit of the pull request, 40 hex. */
  head_sha: string;
  /** Number of the CI run that created the newest plans; never decreases. */
  run: number;
  state: 'open' | 'closed' | 'merged';
  plans: readonly ReviewedPlan[];
  history: NoiseHistory;
  /** Minimum level at which the check fails; null = never. */
  fail_on: RiskLevel | null;
}

/** `action_required`: a plan was not analyzed, or not with the rules of the organization. */
export type CheckConclusion = 'success' | 'neutral' | 'failure' | 'action_required';

/** The check run `drift/plan`, or the commit status of that name. */
export interface ReviewCheck {
  /** null while a plan is pending. */
  conclusion: CheckConclusion | null;
  /** The verdict in one line of plain text, at most 140 characters. */
  title: string;
  /** Markdown, at most 65,000 bytes. */
  summary: string;
  /** Markdown with the machine-readable result in a fence, at most 65,000 bytes. */
  text: string;
}

export interface RenderedReview {
  /** The comment: Markdown of at most 60,000 UTF-8 bytes that starts with the mark. */
  comment: string;
  /** 64 hex digits over the content without run details; if equal, the comment needs no edit. */
  hash: string;
  /** No changes, no drift and no problems: no first comment is needed. */
  nothing_to_report: boolean;
  /** Highest level of all plans; null if none is known. */
  risk_level: RiskLevel | null;
  check: ReviewCheck;
}

/** The parsed mark of a comment. */
export interface ReviewMark {
  key: string;
  head_sha: string;
  run: number;
  hash: string;
}
