import type { CoverageRow, EvidenceRow, FindingRow, RuleRow, ScanRow, SourceRow } from './types.ts';

/** The CSV files of a pack and their columns. @see the contract decisions, D100 */
export const COLUMNS = {
  coverage_monthly: [
    'month',
    'cloud_account_id',
    'account_name',
    'provider',
    'snapshots',
    'avg_coverage_pct',
    'min_coverage_pct',
    'last_coverage_pct',
    'undeclared_count',
  ],
  findings: [
    'finding_id',
    'first_detected_at',
    'resolved_at',
    'status',
    'drift_type',
    'risk_level',
    'resource_type',
    'resource_address',
    'provider_resource_id',
    'account_name',
    'rule_ids',
  ],
  scans: [
    'scan_id',
    'created_at',
    'finished_at',
    'scan_type',
    'provider',
    'account_name',
    'status',
    'status_kind',
    'drift_status',
    'resource_count',
    'new_count',
    'changed_count',
    'missing_count',
    'commit_sha',
    'pr_number',
  ],
  remediation_sla: [
    'risk_level',
    'target_days',
    'opened',
    'resolved',
    'resolved_in_target',
    'breached',
    'open_breached',
    'median_hours',
  ],
  custom_rules: ['id', 'name', 'rule_type', 'enabled', 'created_at', 'updated_at', 'created_by'],
  state_sources: [
    'id',
    'display_name',
    'kind',
    'location',
    'parent_glob_id',
    'created_at',
    'last_fetched_at',
    'last_fetch_error',
    'missing_since',
  ],
} as const satisfies Record<string, readonly string[]>;
export type EvidenceFile = keyof typeof COLUMNS;

/** The record of data.json: the columns of the CSV file, then members that only data.json has. */
export function coverageRecord(row: CoverageRow): EvidenceRow {
  return { ...row };
}

export function findingRecord(row: FindingRow): EvidenceRow {
  const { first_detected_at, resolved_at, rule_ids, cloud_account_id, drift_item_id, ...more } = row;
  const { finding_id, ignore_rule_id, accepted_by, ...described } = more;
  return {
    finding_id,
    first_detected_at: first_detected_at.toISOString(),
    resolved_at: toText(resolved_at),
    ...described,
    rule_ids: [...new Set(rule_ids)].sort(),
    cloud_account_id,
    drift_item_id,
    ignore_rule_id,
    accepted_by,
  };
}

/** @param statusKind `ok`, `partial` or `failed`; null before the end */
export function scanRecord(
  { scan_id, created_at, finished_at, scan_type, provider, account_name, status, error_count, ...rest }: ScanRow,
  statusKind: (status: ScanRow['status'], error_count: number) => string | null,
): EvidenceRow {
  return {
    scan_id,
    created_at: created_at.toISOString(),
    finished_at: toText(finished_at),
    scan_type,
    provider,
    account_name,
    status,
    status_kind: statusKind(status, error_count),
    ...rest,
  };
}

export function ruleRecord({ created_at, updated_at, created_by, ...rest }: RuleRow): EvidenceRow {
  return { ...rest, created_at: created_at.toISOString(), updated_at: updated_at.toISOString(), created_by };
}

/** @param location without credentials; null if the source was deleted, or is an upload */
export function sourceRecord(row: SourceRow, location: string | null): EvidenceRow {
  const { id, display_name, kind, parent_glob_id, last_fetch_error } = row;
  return {
    id,
    display_name,
    kind,
    location,
    parent_glob_id,
    created_at: row.created_at.toISOString(),
    last_fetched_at: toText(row.last_fetched_at),
    last_fetch_error,
    missing_since: toText(row.missing_since),
    deleted_at: toText(row.deleted_at),
  };
}

function toText(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** A decision with its times as text. */
export function decisionRecord(row: Record<string, unknown>): EvidenceRow {
  const cells = Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]);
  return Object.fromEntries(cells) as EvidenceRow;
}
