import type { DriftType, IgnoreRule } from '../../../engine/drift/index.ts';
import type { RiskLevel } from '../../../engine/index.ts';
import type { ComputedDrift, DriftFacts, DriftInput, DriftItemRow } from '../../adapters/drift-pool/types.ts';
import type { DriftOutcome, PlanDriftItem } from '../resources/index.ts';

/** A stored rule, as lists show it. */
export interface StoredIgnoreRule extends Omit<IgnoreRule, 'drift_types'> {
  drift_types: DriftType[];
  reason: string;
  /** Null for never. */
  expires_at: Date | null;
  /** Email of the person who created it. */
  created_by: string | null;
  created_at: Date;
}

/** A rule as the caller entered it. */
export interface IgnoreRuleInput {
  drift_types?: DriftType[] | undefined;
  resource_type?: string | undefined;
  address?: string | undefined;
  provider_resource_id?: string | undefined;
  attribute?: string | undefined;
  tag_key?: string | undefined;
  tag_value?: string | undefined;
  reason: string;
  expires_at?: string | null | undefined;
}

export interface IgnorePreview {
  match_count: number;
  protected_count: number;
  items_total: number;
  /** At most 100. */
  items: {
    drift_type: DriftType;
    resource_address: string | null;
    provider_resource_id: string | null;
    level: RiskLevel;
  }[];
}

/** A difference that an analysis knew. */
export interface StoredPlanDrift
  extends Pick<PlanDriftItem, 'change_id' | 'cloud_account_id' | 'drift_type' | 'stable_key' | 'first_detected_at'> {
  address: string;
}

/** @see openapi.yaml, PlanDrift */
export interface PlanDrift extends Pick<StoredPlanDrift, 'change_id' | 'address' | 'drift_type' | 'first_detected_at'> {
  scan_run_id: string;
  outcome: DriftOutcome;
  /** When the account was last compared after the analysis, and its scan; null if it was not. */
  compared_at: Date | null;
  compared_scan_id: string | null;
}

export interface SnapshotFacts extends DriftFacts {
  id: string;
  scan_run_id: string;
  cloud_account_id: string;
  created_at: Date;
  narrative: string | null;
  narrative_status: 'none' | 'pending' | 'ready' | 'fallback' | 'skipped' | 'failed';
  skip_reason: string | null;
  /** What the rules wrote and found; a model may have added to it. */
  rules_narrative: string;
  rules_risk_level: RiskLevel;
}

/** A stored snapshot; null as `items_id` after its items were deleted. */
export interface StoredSnapshot extends SnapshotFacts {
  items_id: string | null;
}

/** An item as it is stored and shown. */
export interface DriftItem extends Omit<DriftItemRow, 'position' | 'stable_key' | 'first_detected_at' | 'tags'> {
  first_detected_at: Date;
}

export interface ItemFilter {
  drift_type?: DriftType | undefined;
  min_risk?: RiskLevel | undefined;
  /** Terraform type or type of the cloud. */
  resource_type?: string | undefined;
  /** Beginning of the address. */
  address?: string | undefined;
  detected_before?: Date | undefined;
}

/**
 * Compares on a thread.
 *
 * @param key owner of the task; owners alternate
 * @throws Error if the comparison takes too much time or memory
 */
export type ComputeDrift = (key: string, input: DriftInput) => Promise<ComputedDrift>;
