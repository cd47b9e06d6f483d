import type { Db } from '../../db/index.ts';
import type { Plan } from '../../lib/errors.ts';
import type { StateSourceKind } from '../state-sources/index.ts';

export type PackStatus = 'pending' | 'running' | 'done' | 'error' | 'expired';

export interface Period {
  period_start: Date;
  /** Not part of the period. */
  period_end: Date;
}

/** @see openapi.yaml, CompliancePack */
export interface Pack extends Period {
  id: string;
  org_id: string;
  status: PackStatus;
  requested_by: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  expires_at: Date;
  artifact_key: string | null;
  artifact_bytes: number | null;
  artifact_sha256: string | null;
  error_message: string | null;
  attempts: number;
}

/** Identifies a pack, also across organizations. */
export interface PackRef {
  org_id: string;
  id: string;
}

/** A pack while this worker builds it: a later claim makes this one's writes void. */
export interface PackClaim extends PackRef, Period {
  attempts: number;
  /** When the first attempt started; later ones write the same time into the pack. */
  started_at: Date;
}

/** Called in the transaction that ends a build, successfully or not. */
export type OnPackEnded = (trx: Db, pack: PackRef) => Promise<void>;

export interface Artifact {
  artifact_key: string;
  artifact_bytes: number;
  artifact_sha256: string;
}

/** A file of a pack that is being written. */
export interface PackEntry {
  write(content: string | Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** The files of a pack outside of memory, until the pack is stored. */
export interface PackDraft {
  /** @param name ASCII, without folders */
  open(name: string): Promise<PackEntry>;
  /** Adds MANIFEST.txt, and writes all files into a ZIP in the order of their names. */
  finish(modified_at: Date): Promise<{ path: string; bytes: number; sha256: string }>;
  /** Deletes everything. */
  discard(): Promise<void>;
}

export type OpenDraft = () => Promise<PackDraft>;

/** Facts about the organization that the pack names. */
export interface PackOrg {
  id: string;
  slug: string;
  display_name: string;
  plan: Plan;
}

export type Cell = string | number | boolean | null | readonly string[];
/** One row of a file: its columns in order, then members that only data.json has. */
export type EvidenceRow = Record<string, Cell>;

export type FindingStatus = 'open' | 'resolved' | 'suppressed';
export const LEVELS = ['critical', 'high', 'medium', 'low', 'none'] as const;
export type Level = (typeof LEVELS)[number];

/** A difference of one resource, from its first detection to the scan that no longer found it. */
export interface Finding {
  first_detected_at: Date;
  resolved_at: Date | null;
  status: FindingStatus;
  risk_level: Level;
}

/** A time target of one level and how it was met. @see docs/compliance-packs.md */
export interface RemediationRow {
  risk_level: Level;
  target_days: number;
  opened: number;
  resolved: number;
  resolved_in_target: number;
  breached: number;
  open_breached: number;
  median_hours: number | null;
}

/** @see docs/audit-log.md */
export interface Attestation {
  org_id: string;
  head_seq: number;
  head_hash_hex: string;
  /** Root of the tree of RFC 6962 over all entries; empty for an empty or broken log. */
  tree_root_hex: string;
  status: 'ok' | 'broken';
  checked: number;
  verified_at: string;
  canonical_version: 'v1';
}

/** A row of the evidence as it is stored. */
export interface CoverageRow {
  month: string;
  cloud_account_id: string;
  account_name: string;
  provider: string;
  snapshots: number;
  avg_coverage_pct: number;
  min_coverage_pct: number;
  last_coverage_pct: number;
  undeclared_count: number;
}

export interface FindingRow extends Finding {
  finding_id: string;
  drift_type: string;
  resource_type: string | null;
  resource_address: string | null;
  provider_resource_id: string | null;
  account_name: string;
  rule_ids: string[];
  cloud_account_id: string;
  drift_item_id: string;
  ignore_rule_id: string | null;
  /** Who created that rule; null if neither the rule nor its creation is known. */
  accepted_by: string | null;
}

export interface ScanRow {
  scan_id: string;
  created_at: Date;
  finished_at: Date | null;
  scan_type: string;
  provider: string | null;
  account_name: string | null;
  status: 'pending' | 'running' | 'done' | 'error';
  error_count: number;
  drift_status: string | null;
  resource_count: number | null;
  new_count: number | null;
  changed_count: number | null;
  missing_count: number | null;
  commit_sha: string | null;
  pr_number: number | null;
  kind: string;
  cloud_account_id: string | null;
}

export interface RuleRow {
  id: string;
  name: string;
  rule_type: string;
  enabled: boolean;
  created_at: Date;
  updated_at: Date;
  created_by: string;
}

export interface SourceRow {
  id: string;
  org_id: string;
  display_name: string;
  kind: StateSourceKind;
  config_ct: Buffer;
  parent_glob_id: string | null;
  created_at: Date;
  last_fetched_at: Date | null;
  last_fetch_error: string | null;
  missing_since: Date | null;
  deleted_at: Date | null;
}
