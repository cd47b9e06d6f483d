import type { RiskLevel } from '../../../engine/index.ts';

export type ScanStatus = 'pending' | 'running' | 'done' | 'error';
export type Provider = 'aws' | 'gcp' | 'azure';

export interface ScanError {
  code:
    | 'access_denied'
    | 'throttled'
    | 'timeout'
    | 'region_disabled'
    | 'unsupported_type'
    | 'truncated'
    | 'credential_error'
    | 'parse_error'
    | 'cancelled'
    | 'internal';
  message: string;
  provider: Provider | null;
  region: string | null;
  service: string | null;
  resource_type: string | null;
  retryable: boolean;
  count: number;
}

/** The CI context from the caller; stored unchanged, except for credentials in `repo_url`. */
export interface CiContext {
  repo_owner: string | null;
  repo_name: string | null;
  repo_url: string | null;
  pr_number: number | null;
  branch: string | null;
  commit_sha: string | null;
}

/** A scan of a cloud account to start. */
export interface NewCloudRun {
  id: string;
  cloud_account_id: string;
  provider: Provider;
  scan_type: ScanRun['scan_type'];
  /** Regions to read instead of those of the account; empty for those. */
  filter_regions: readonly string[];
  /** Shared by the scans that one call started; null for a single one. */
  bulk_id: string | null;
  /** The schedule whose run this scan belongs to, and that run; null for other scans. */
  schedule_id: string | null;
  firing_id: string | null;
  ci: CiContext;
}

/** A scan run without its result, as a list shows it. */
export interface ScanRun extends CiContext {
  id: string;
  org_id: string;
  cloud_account_id: string | null;
  provider: Provider | null;
  scan_type: 'manual' | 'scheduled' | 'webhook';
  status: ScanStatus;
  drift_status: 'in_sync' | 'drifted' | 'incomplete' | 'failed' | null;
  narrative_status: 'none' | 'pending' | 'ready' | 'fallback' | 'skipped' | 'failed';
  resource_count: number | null;
  new_count: number | null;
  changed_count: number | null;
  missing_count: number | null;
  scan_errors: ScanError[];
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

/** A run with the job and level of its result. */
export interface ListedScanRun extends ScanRun {
  /** null for a scan, and after the job was deleted. */
  job_id: string | null;
  /** null until an analysis is done. */
  risk_level: RiskLevel | null;
}

export interface ScanFilter {
  account_id?: string | undefined;
  scan_type?: ScanRun['scan_type'] | undefined;
  provider?: Provider | undefined;
  status?: ScanStatus | undefined;
  repo_owner?: string | undefined;
  repo_name?: string | undefined;
  pr_number?: number | undefined;
}

export interface ScanPage {
  limit: number;
  offset: number;
  /** Only runs created after this time; null = all stored runs. */
  since: Date | null;
}

/** The result of an analysis run. */
export interface AnalysisOutcome {
  provider: Provider | null;
  resource_count: number;
  narrative_status: ScanRun['narrative_status'];
  /** The contract's AnalyzeResult as JSON text. */
  result_json: string;
}

/** The result of a repository's last analysis. */
export interface LatestAnalysis {
  /** `owner/name`. */
  repo: string;
  last_analysis_at: Date;
  last_risk_level: RiskLevel;
}

/** What a comparison with states found in a scan. */
export type DriftOutcome = Partial<
  Pick<ScanRun, 'new_count' | 'changed_count' | 'missing_count' | 'narrative_status'>
> & {
  drift_status: NonNullable<ScanRun['drift_status']>;
};
