import type { PlanAnalysis, RiskLevel } from '../../../engine/index.ts';

/**
 * The outcome of one plan.
 *
 * - `queued`: the service has accepted it; the command did not wait
 * - `done`: the service has analyzed it with the rules of the organization
 * - `deferred`: the service rejected it, so the command analyzed it with the same rules; `note` says why
 * - `failed`: not analyzed; `note` says why
 */
export interface SubmittedPlan {
  path: string;
  state: 'queued' | 'done' | 'deferred' | 'failed';
  job_id: string | null;
  scan_run_id: string | null;
  note: string | null;
  /** When to submit it again, ISO 8601; null if unknown, or if waiting does not help. */
  retry_at: string | null;
  /** The contract's `AnalyzeResult`; if analyzed locally, without members that only a service provides. */
  result: PlanAnalysis | null;
}

/** The output of `dpa submit --format json`. */
export interface Submission {
  /** The highest level of the plans; null if none was analyzed. */
  risk_level: RiskLevel | null;
  plans: SubmittedPlan[];
}
