/** The payloads of events. @see openapi.yaml, `webhooks` */
import type { RiskLevel } from '../../../engine/index.ts';
import type { Step } from './episode.ts';
import type { AccountDrift, EventType, TopItem } from './types.ts';

/** A schedule as payloads name it. */
export interface ScheduleName {
  id: string;
  name: string;
}

/** What a step of an account is for servers; null if they do not hear of it. */
export function toDriftEvent(step: Step): Extract<EventType, `drift.${string}`> | null {
  switch (step) {
    case 'opened':
    case 'worse':
    case 'better':
    case 'changed':
      return 'drift.detected';
    case 'resolved':
      return 'drift.resolved';
    case 'unchanged':
      return 'drift.unchanged';
    case 'held':
    case 'stale':
      return null;
  }
}

export function driftData(
  account: AccountDrift,
  given: { schedule: ScheduleName | null; drift_snapshot_id: string; narrative: string | null },
) {
  const { cloud_account_id: id, display_name, provider, url, risk_level, scan_run_id } = account;
  const { coverage_pct, counts, delta, top_items } = account;
  return {
    schedule: given.schedule,
    cloud_account: { id, display_name, provider },
    scan_run_id,
    drift_snapshot_id: given.drift_snapshot_id,
    risk_level,
    coverage_pct,
    counts,
    delta,
    narrative: given.narrative,
    top_items: top_items.map(toPayloadItem),
    url,
  };
}

function toPayloadItem({ drift_type, resource_address, resource_type, name, risk_level }: TopItem) {
  return { drift_type, resource_address, resource_type, name, risk_level };
}

export interface FailedScanFacts {
  id: string;
  cloud_account_id: string;
  display_name: string;
  provider: string;
  scan_errors: readonly { code: string; message: string }[];
}

export function failedScanData(scan: FailedScanFacts, schedule: ScheduleName | null, url: string | null) {
  const { cloud_account_id: id, display_name, provider, scan_errors } = scan;
  const [first] = scan_errors;
  return {
    schedule,
    cloud_account: { id, display_name, provider },
    scan_run_id: scan.id,
    error: { code: first?.code ?? 'internal', message: first?.message ?? 'The scan failed.' },
    url,
  };
}

export interface PackFacts {
  id: string;
  period_start: Date;
  period_end: Date;
  status: 'pending' | 'running' | 'done' | 'error' | 'expired';
  /** Null unless the pack is done; PostgreSQL returns large integers as text. */
  artifact_bytes: string | null;
  artifact_sha256: string | null;
  expires_at: Date;
  /** Null unless the build failed. */
  error_message: string | null;
}

/** What the end of a build is for servers; null for a pack that has meanwhile expired. */
export function packEvent(pack: PackFacts) {
  const { id: export_id, period_start, period_end, status, artifact_bytes, artifact_sha256, error_message } = pack;
  const named = { export_id, period_start: period_start.toISOString(), period_end: period_end.toISOString() };
  if (status === 'error') return { type: 'compliance_pack.failed' as const, data: { ...named, error_message } };
  if (status !== 'done') return null;
  const artifact = { artifact_bytes: Number(artifact_bytes), artifact_sha256 };
  const data = { ...named, ...artifact, expires_at: pack.expires_at.toISOString() };
  return { type: 'compliance_pack.ready' as const, data };
}

export interface DisabledScheduleFacts extends ScheduleName {
  /** Null if a person has enabled the schedule meanwhile. */
  disabled_reason: string | null;
  last_error: string | null;
}

export function disabledScheduleData({ id, name, last_error }: DisabledScheduleFacts, reason: string) {
  return { schedule: { id, name }, reason, last_error };
}

export interface AnalysisFacts {
  id: string;
  risk_level: RiskLevel;
  repo_owner: string | null;
  repo_name: string | null;
  repo_url: string | null;
  pr_number: number | null;
  branch: string | null;
  commit_sha: string | null;
}

export function analysisData(analysis: AnalysisFacts, url: string | null) {
  const { id, risk_level, repo_url, pr_number, branch, commit_sha } = analysis;
  return { scan_run_id: id, risk_level, repo: nameRepository(analysis), repo_url, pr_number, branch, commit_sha, url };
}

/** A pull request whose critical plans were approved. */
export interface ApprovalFacts {
  repo: string;
  pr_number: number;
  url: string;
  state: 'open' | 'closed' | 'merged';
  branch: string | null;
  head_sha: string;
  risk_level: RiskLevel;
  /** The newest analysis with this level; null if it was deleted. */
  scan_run_id: string | null;
}

export function approvalData(approval: ApprovalFacts, url: string | null) {
  const { repo, pr_number, url: pr_url, state, branch, head_sha: commit_sha, risk_level, scan_run_id } = approval;
  const action = state === 'merged' ? ('merged' as const) : ('approved' as const);
  return { action, risk_level, repo, pr_number, pr_url, branch, commit_sha, scan_run_id, url };
}

/** `owner/name`; null if one of them is not known. */
export function nameRepository({
  repo_owner,
  repo_name,
}: Pick<AnalysisFacts, 'repo_owner' | 'repo_name'>): string | null {
  return repo_owner === null || repo_name === null ? null : `${repo_owner}/${repo_name}`;
}
