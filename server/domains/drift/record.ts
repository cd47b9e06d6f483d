import { pickFields } from '../../contract/pick-fields.ts';
import type { SnapshotPage } from './snapshots-service.ts';
import type { DriftItem } from './types.ts';

const DAY_MS = 86_400_000;

/** A snapshot with its page of items, as the contract shows it. @see openapi.yaml, DriftSnapshot */
export function snapshotRecord({ snapshot, items, items_total }: SnapshotPage, now: Date) {
  return {
    ...pickFields(snapshot, [
      'id',
      'scan_run_id',
      'cloud_account_id',
      'created_at',
      'drift_status',
      'changed_count',
      'extra_count',
      'matched_count',
      'missing_count',
      'parse_failure_count',
      'not_checked_count',
      'excluded_count',
      'ignored_count',
      'total_iac',
      'total_live',
      'coverage_pct',
      'risk_level',
      'narrative',
      'narrative_status',
      'skip_reason',
      'notes',
    ]),
    items: items.map((item) => itemRecord(item, snapshot.cloud_account_id, now)),
    items_total,
  };
}

function itemRecord(item: DriftItem, cloud_account_id: string, now: Date) {
  const { level, reasons, first_detected_at } = item;
  return {
    ...pickFields(item, [
      'id',
      'drift_type',
      'resource_address',
      'resource_type',
      'provider_type',
      'normalized_type',
      'provider_resource_id',
      'live_resource_id',
      'region',
      'name',
      'state_source_id',
      'categories',
      'certainty',
      'attributes',
      'attributes_total',
      'first_detected_at',
      'suppressed',
      'ignore_rule_id',
      'import_block',
      'console_url',
      'suppression_id',
      'actor',
    ]),
    cloud_account_id,
    risk: { level, reasons },
    age_days: Math.max(0, Math.floor((now.getTime() - first_detected_at.getTime()) / DAY_MS)),
  };
}
