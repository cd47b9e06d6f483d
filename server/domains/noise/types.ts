import type { NoiseOccurrence } from '../../../engine/index.ts';

/** @see openapi.yaml, NoiseSettings */
export interface NoiseSettings {
  /** A pattern recurs if it occurred more often than this. */
  recurrence_threshold: number;
  window_days: number;
}

/** The analysis in which the patterns occurred. */
export interface NoiseRun {
  scan_run_id: string;
  repo_owner: string | null;
  repo_name: string | null;
  commit_sha: string | null;
  pr_number: number | null;
  seen_at: Date;
}

export interface PatternFilter {
  repo_owner?: string | undefined;
  repo_name?: string | undefined;
  include_suppressed: boolean;
}

/** A fingerprint at an address of a repository. */
export interface Pattern {
  fingerprint: string;
  resource_address: string;
  resource_type: string;
  attribute: string;
  action: NoiseOccurrence['action'];
  classification: NoiseOccurrence['classification'];
  matched_rule_id: string | null;
  matched_custom_rule_id: string | null;
  repo_owner: string | null;
  repo_name: string | null;
  /** First occurrence, also before the window. */
  first_seen: Date;
  last_seen: Date;
  /** Number of analyses within the window in which it occurred; only the last one of each commit counts. */
  occurrence_count: number;
  suppressed: boolean;
}

export type SuppressionDuration = '7d' | '30d' | '90d' | 'forever';

export interface SuppressionInput {
  fingerprints: readonly string[];
  /** The address of each fingerprint, in the same order. */
  resource_addresses: readonly string[];
  reason: string;
  duration: SuppressionDuration;
  is_false_positive?: boolean | undefined;
}

export interface Pair {
  fingerprint: string;
  resource_address: string;
}

/** Why and until when a pattern is suppressed. */
interface SuppressionTerms {
  reason: string;
  duration: SuppressionDuration;
  is_false_positive: boolean;
  /** Email. */
  suppressed_by: string;
  created_at: Date;
  /** null = it never expires. */
  expires_at: Date | null;
}

/** Pairs to suppress, without duplicates. */
export interface NewSuppressions extends SuppressionTerms {
  pairs: readonly Pair[];
}

/** A pattern that is suppressed at one address. */
export interface SuppressionRecord extends Pair, SuppressionTerms {
  id: string;
  /** null, like `attribute`, if the pattern had not occurred when it was suppressed. */
  resource_type: string | null;
  attribute: string | null;
}

/** A suppression in the form of the engine. */
export interface LiveSuppression extends Pair {
  id: string;
  /** RFC 3339; null = it never expires. */
  expires_at: string | null;
}
