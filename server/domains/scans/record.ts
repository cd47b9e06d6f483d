import type { ListedScanRun, ScanRun } from './types.ts';

/** `ok`, `partial` or `failed` after the run has ended. @see openapi.yaml, ScanRun.status_kind */
export function statusKind(run: Pick<ScanRun, 'status' | 'scan_errors'>): 'ok' | 'partial' | 'failed' | null {
  if (run.status === 'error') return 'failed';
  if (run.status !== 'done') return null;
  return run.scan_errors.length > 0 ? 'partial' : 'ok';
}

/** The run as the contract's ScanRun, without `result_json`. */
export function scanRunRecord(run: ScanRun) {
  return {
    id: run.id,
    org_id: run.org_id,
    cloud_account_id: run.cloud_account_id,
    provider: run.provider,
    scan_type: run.scan_type,
    status: run.status,
    status_kind: statusKind(run),
    drift_status: run.drift_status,
    narrative_status: run.narrative_status,
    resource_count: run.resource_count,
    new_count: run.new_count,
    changed_count: run.changed_count,
    missing_count: run.missing_count,
    scan_errors: run.scan_errors,
    repo_owner: run.repo_owner,
    repo_name: run.repo_name,
    repo_url: run.repo_url,
    pr_number: run.pr_number,
    branch: run.branch,
    commit_sha: run.commit_sha,
    created_at: run.created_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    finished_at: run.finished_at?.toISOString() ?? null,
  };
}

/** The run as the contract's ListedScanRun. */
export function listedScanRunRecord(run: ListedScanRun) {
  return { ...scanRunRecord(run), job_id: run.job_id, risk_level: run.risk_level };
}

export type ScanRunRecord = ReturnType<typeof scanRunRecord>;
