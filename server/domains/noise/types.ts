import type { NoiseOccurrence } from '../../../engine/index.ts';

/** @see openapi.yaml, NoiseSettings */
export interface NoiseSettings {
  /** A pattern recurs when it was seen more often than this. */
  recurrence_threshold: number;
  window_days: number;
}

/** The analysis that saw what is recorded. */
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
  /** Since when it is known, before the window too. */
  first_seen: Date;
  last_seen: Date;
  /** Analyses inside the window that saw it; of one commit only the last. */
  occurrence_count: number;
  suppressed: boolean;
}

export type SuppressionDuration = '7d' | '30d' | '90d' | 'forever';

export interface SuppressionInput {
  fingerprints: readonly string[];
  /** Item for item the address of each fingerprint. */
  resource_addresses: readonly string[];
  reason: string;
  duration: SuppressionDuration;
  is_false_positive?: boolean | undefined;
}

export interface Pair {
  fingerprint: string;
  resource_address: string;
}

/** What is about to be suppressed: pairs, all different, and what they have in common. */
export interface NewSuppressions {
  pairs: readonly Pair[];
  reason: string;
  duration: SuppressionDuration;
  is_false_positive: boolean;
  suppressed_by: string;
  created_at: Date;
  expires_at: Date | null;
}

/** A pattern that is accepted at one address. */
export interface SuppressionRecord extends Pair {
  id: string;
  /** null, like `attribute`: the pattern was not seen when it was accepted. */
  resource_type: string | null;
  attribute: string | null;
  reason: string;
  duration: SuppressionDuration;
  is_false_positive: boolean;
  /** Email. */
  suppressed_by: string;
  created_at: Date;
  /** null = it never ends. */
  expires_at: Date | null;
}

/** As the engine wants it. */
export interface LiveSuppression extends Pair {
  id: string;
  /** RFC 3339; null = it never ends. */
  expires_at: string | null;
}
