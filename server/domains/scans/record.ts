import { pickFields } from '../../contract/pick-fields.ts';
import type { CiContext, ListedScanRun, ScanRun, ScanStatus } from './types.ts';

/** The columns of a run; all are public. */
export const SCAN_RUN_FIELDS = [
  'id',
  'org_id',
  'cloud_account_id',
  'provider',
  'scan_type',
  'status',
  'drift_status',
  'narrative_status',
  'resource_count',
  'new_count',
  'changed_count',
  'missing_count',
  'scan_errors',
  'repo_owner',
  'repo_name',
  'repo_url',
  'pr_number',
  'branch',
  'commit_sha',
  'created_at',
  'started_at',
  'finished_at',
] as const;

/** `ok`, `partial` or `failed` after the run has ended. @see openapi.yaml, ScanRun.status_kind */
export function scanStatusKind(status: ScanStatus, error_count: number): 'ok' | 'partial' | 'failed' | null {
  if (status === 'error') return 'failed';
  if (status !== 'done') return null;
  return error_count > 0 ? 'partial' : 'ok';
}

/** The run as the contract's ScanRun, without `result_json`. */
export function scanRunRecord(run: ScanRun) {
  return {
    ...pickFields(run, SCAN_RUN_FIELDS),
    status_kind: scanStatusKind(run.status, run.scan_errors.length),
  };
}

/** The run as the contract's ListedScanRun. */
export function listedScanRunRecord(run: ListedScanRun) {
  return { ...scanRunRecord(run), job_id: run.job_id, risk_level: run.risk_level };
}

export type ScanRunRecord = ReturnType<typeof scanRunRecord>;

/** What a caller said about the CI job; null for what it did not say. */
export function toCiContext(ci: Partial<{ [Field in keyof CiContext]: CiContext[Field] | undefined }> = {}): CiContext {
  const {
    repo_owner = null,
    repo_name = null,
    repo_url = null,
    pr_number = null,
    branch = null,
    commit_sha = null,
  } = ci;
  return { repo_owner, repo_name, repo_url, pr_number, branch, commit_sha };
}
