import type { Action, AttributeDiff, RiskLevel } from '../../../engine/index.ts';
import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { CloudAccount } from '../cloud-accounts/index.ts';

export type EnrichmentStatus = 'none' | 'enriched' | 'failed' | 'n/a';

/** @see openapi.yaml, LiveResource */
export interface LiveResource {
  id: string;
  cloud_account_id: string;
  provider: CloudProvider;
  region: string | null;
  name: string | null;
  provider_resource_id: string;
  provider_type: string;
  normalized_type: string;
  /** Address in the state; null if no state declares the resource. */
  iac_resource_id: string | null;
  enrichment_status: EnrichmentStatus;
  tags: Record<string, string>;
  risk_categories: string[];
  first_seen_at: Date;
  last_seen_at: Date;
}

export interface EnrichedResource extends LiveResource {
  properties: Record<string, unknown> | null;
  enrichment_failure_reason: string | null;
  enriched_at: Date | null;
}

export interface ResourceFilter {
  account_id?: string | undefined;
  provider?: CloudProvider | undefined;
  normalized_type?: string | undefined;
  /** The cloud's own type. */
  type?: string | undefined;
  /** `global` for resources without one. */
  region?: string | undefined;
  /** Only resources that no state declares (true), or that one does (false). */
  unmatched?: boolean | undefined;
  /** Beginning of the name, in any letter case, or of the ID; or a whole ID. */
  q?: string | undefined;
}

export interface Page {
  limit: number;
  offset: number;
}

export interface ResourcePage {
  resources: LiveResource[];
  total: number;
  /** More resources match `q` than a search reads; the others are missing from the page and the total. */
  truncated: boolean;
}

/** Why a part of an account was not read. */
export interface PartFault {
  code: string;
  message: string;
  permission: string | null;
  retryable: boolean;
}

/** @see openapi.yaml, InventoryPart */
export interface InventoryPart {
  part_key: string;
  service: string;
  region: string | null;
  provider_type: string | null;
  checked_at: Date | null;
  resource_count: number | null;
  tried_at: Date;
  last_scan_id: string;
  code: string | null;
  message: string | null;
  permission: string | null;
  retryable: boolean | null;
}

export interface PartFilter {
  /** Whether the last scan read the part to its end. */
  checked?: boolean | undefined;
  code?: string | undefined;
  region?: string | undefined;
  type?: string | undefined;
}

export interface PartPage {
  parts: InventoryPart[];
  total: number;
  /** Of all parts of the account. */
  checked_count: number;
  unchecked_count: number;
}

export type MatchedBy = 'provider_id' | 'importing' | 'address';

/** A change of an analysis that is about a live resource. */
export interface FoundLink {
  change_id: string;
  address: string;
  action: Action;
  risk_level: RiskLevel;
  live_resource_id: string;
  matched_by: MatchedBy;
}

/** A change whose resource may have drifted: one row for each ID that it may have. */
export interface DriftCandidate {
  change_id: string;
  type: string;
  address: string;
  previous_address: string | null;
  id: string;
}

/** An item of the last drift snapshot of an account, about the resource of a change. */
export interface PlanDriftItem {
  change_id: string;
  drift_item_id: string;
  /** The scan of its snapshot, and when it ended. */
  scan_run_id: string;
  scanned_at: Date;
  cloud_account_id: string;
  drift_type: 'changed' | 'missing';
  certainty: 'confirmed' | 'potential';
  stable_key: Buffer;
  first_detected_at: Date;
  attributes: AttributeDiff[];
  attributes_total: number;
  /** The last scan of the account that ended after this one failed. */
  later_scan_failed: boolean;
}

/**
 * Whether a difference that an analysis knew still exists: `pending` until drift is computed again, `not_checked` if that
 * computation could not tell.
 */
export type DriftOutcome = 'pending' | 'resolved' | 'still_different' | 'not_checked';

/** Reads drift for plans. */
export interface PlanDriftReader {
  /** The first item of each change that has one. */
  listOfPlan(org_id: string, candidates: readonly DriftCandidate[]): Promise<PlanDriftItem[]>;
  /** By ID of the analysis and of the change, with a space between; changes without a difference are absent. */
  findOutcomes(
    org_id: string,
    changes: readonly { scan_run_id: string; change_id: string }[],
  ): Promise<ReadonlyMap<string, DriftOutcome>>;
}

/** @see openapi.yaml, PlanLink */
export interface PlanLink {
  scan_run_id: string;
  change_id: string;
  address: string;
  action: Action;
  risk_level: RiskLevel;
  matched_by: MatchedBy;
  repo_owner: string | null;
  repo_name: string | null;
  repo_url: string | null;
  pr_number: number | null;
  pr_url: string | null;
  branch: string | null;
  commit_sha: string | null;
  created_at: Date;
  /** Null if the analysis knew no drift of the resource. */
  drift_outcome: DriftOutcome | null;
}

/** A cloud account with the size of its inventory and its scans. */
export interface AccountInventory {
  id: string;
  provider: CloudProvider;
  display_name: string;
  external_account_id: string;
  status: CloudAccount['status'];
  regions: string[];
  live_count: number;
  matched_count: number;
  /** The last scan that ended, in any way. */
  ended_scan_id: string | null;
  ended_scan_at: Date | null;
  ended_scan_status: 'done' | 'error' | null;
  ended_scan_errors: number | null;
  /** When the last scan that was not a failure ended. */
  done_scan_at: Date | null;
}

/** The drift of one account at one time. */
export interface AccountDrift {
  drift_snapshot_id: string;
  cloud_account_id: string;
  computed_at: Date;
  total_live: number;
  matched_count: number;
  changed_count: number;
  missing_count: number;
  /** Live resources that no state declares. */
  extra_count: number;
  coverage_pct: number;
  risk_level: RiskLevel;
}

export interface DriftFilter {
  provider?: CloudProvider | undefined;
  account_id?: string | undefined;
}

/** Reads the results of drift computations. */
export interface DriftReader {
  /** The last snapshot of each account that has one. */
  listLatest(org_id: string): Promise<AccountDrift[]>;
  /** The last snapshot of each account on each UTC day since `since`. */
  listDaily(org_id: string, filter: DriftFilter & { since: Date }): Promise<AccountDrift[]>;
}
