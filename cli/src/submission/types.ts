import type { PlanAnalysis, RiskLevel } from '../../../engine/index.ts';

/**
 * What became of one plan.
 *
 * `queued`: the service has it, nobody waited. `done`: judged by the service, under the rules of the organization.
 * `deferred`: the service takes no more for now, so it was judged here, by the same rules; `note` says why.
 * `failed`: not judged, `note` says why.
 */
export interface SubmittedPlan {
  path: string;
  state: 'queued' | 'done' | 'deferred' | 'failed';
  job_id: string | null;
  scan_run_id: string | null;
  note: string | null;
  /** When the service may take it, ISO 8601; null when that is not known, or time changes nothing. */
  retry_at: string | null;
  /** The contract's `AnalyzeResult`; judged here, without what only a service knows. */
  result: PlanAnalysis | null;
}

/** What `dpa submit --format json` prints. */
export interface Submission {
  /** The highest level of the plans; null while none is judged. */
  risk_level: RiskLevel | null;
  plans: SubmittedPlan[];
}
