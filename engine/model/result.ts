/**
 * Result of an analysis: the part of `AnalyzeResult` that depends only on the plan. `openapi.yaml` documents each
 * field.
 */

export const RISK_LEVELS = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

export type Action =
  | 'no-op'
  | 'create'
  | 'read'
  | 'update'
  | 'delete'
  | 'replace'
  | 'forget'
  | 'import'
  | 'move'
  | 'unknown';

export type Category = 'stateful' | 'iam' | 'network' | 'security' | 'encryption' | 'other';

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
/** Output of `JSON.parse`, in which `__proto__` can be an own key. Check keys with `Object.hasOwn`. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A reason for a risk level. Every level of an analysis is explained by its reasons. */
export interface Reason {
  rule_id: string;
  kind: 'base' | 'attribute' | 'exposure' | 'blast' | 'noise' | 'custom' | 'policy' | 'llm';
  effect: 'raise' | 'cap' | 'set' | 'block';
  level: RiskLevel;
  /** Attribute path in the format of `AttributeDiff.path`, or null for the whole change. */
  path: string | null;
  /** One plain sentence without secret values. */
  message: string;
  /** The message without the order and the cause of a replacement or deletion; absent if it contains neither. */
  short_message?: string;
  /** Present and true if the message states both values of the attribute at `path`. */
  states_values?: true;
  /** Present if the plan is escalated only because a language model raised changes. */
  raised_by?: 'llm';
}

export type DiffOp = 'add' | 'update' | 'remove' | 'reorder';
export type Direction = 'weakening' | 'neutral' | 'strengthening';
export type NoiseClass = 'known_benign' | 'likely_benign' | 'novel';

/** Why both values of an attribute are proven to be equivalent. */
export type Equivalence =
  /** The same items in a different order, in a list whose order has no effect. */
  | 'order'
  /** The same document or expression in a different format. */
  | 'document'
  /** Policies that grant and deny the same permissions. */
  | 'policy'
  /** Names, ids or links of the same object. */
  | 'name'
  /** The same addresses or ports. */
  | 'address'
  /** The same time or duration. */
  | 'time'
  | 'number'
  /** Letter case, on a case-insensitive path. */
  | 'case'
  | 'blanks'
  /** Null and an empty value. */
  | 'empty'
  /** Null and the provider's default. */
  | 'default';

/** One changed leaf attribute of a resource. In a finished result, sensitive values are null. */
export interface AttributeDiff {
  /** Segments with dots and `[n]`; keys that need quotes as `["a.b"]`. */
  path: string;
  path_segments: (string | number)[];
  op: DiffOp;
  before: JsonValue;
  after: JsonValue;
  before_sensitive: boolean;
  after_sensitive: boolean;
  after_unknown: boolean;
  forces_replacement: boolean;
  direction: Direction;
  noise: NoiseClass;
  /** Present if the values are proven equivalent. */
  same?: Equivalence;
  /** A string was cut at 1,024 characters. */
  truncated: boolean;
  /** Present if both values are documents (JSON, YAML, properties): what differs inside them, at most 20 entries. */
  inside?: InsideDiff[];
  /** Present and true if secret detection withheld a value that the plan did not mark as sensitive. */
  scrubbed?: true;
}

/** One difference inside a document. Texts are cut at 200 characters, lists at 20 items. */
export interface InsideDiff {
  /** Path inside the document, as in `AttributeDiff.path`; empty for the document itself. */
  path: string;
  /** A scalar or a list of scalars; null if the side does not have it. */
  before: JsonValue;
  after: JsonValue;
}

export interface ChangeNoise {
  classification: NoiseClass;
  severity: 'harmless' | 'warning' | 'caution' | null;
  /** 32 lowercase hex digits each, sorted and unique; omits leaves without a fingerprint. */
  fingerprints: string[];
  matched_rule_id: string | null;
  matched_custom_rule_id: string | null;
  suppression_id: string | null;
  /** A discount or suppression was withheld because the change destroys or weakens something. */
  overridden: boolean;
}

export interface ChangeRisk {
  level: RiskLevel;
  deterministic_level: RiskLevel;
  raised_by: 'llm' | null;
  /** Neither noise nor custom rules can lower the level; only the policy can. */
  guarded: boolean;
  /** Highest level first, then rule id. */
  reasons: Reason[];
}

/** The planned change undoes a change made outside of IaC. */
export interface DriftReversal {
  /**
   * `revert` restores the configured values, `overwrite` sets other values, `recreate` creates the deleted object
   * again.
   */
  kind: 'revert' | 'overwrite' | 'recreate';
  /** Attribute paths in the format of `AttributeDiff.path`, at most 20; empty for `recreate`. */
  paths: string[];
  paths_total: number;
}

/** A difference between the cloud and the state of a resource, as the last comparison of its account found it. */
export interface LiveDrift {
  /** `DriftItem.id` in the drift of this scan. */
  drift_item_id: string;
  scan_run_id: string;
  drift_type: 'changed' | 'missing';
  certainty: 'confirmed' | 'potential';
  /** RFC 3339, as the other times. */
  first_detected_at: string;
  /** When the scan ended that found the difference. */
  scanned_at: string;
  /** The last scan of the account failed, so nobody knows whether the difference still exists. */
  later_scan_failed: boolean;
  /** Attribute paths in the format of `AttributeDiff.path`, at most 20; empty for a missing resource. */
  paths: string[];
  paths_total: number;
}

/** Why anyone on the internet can reach the resource, or read what it stores, as the last scan has seen it. */
export interface LiveExposure {
  /** The rule that would judge a change to this setting. */
  rule_id: string;
  /** One sentence. */
  message: string;
  /** The security group that is open; null if the resource itself is public. */
  group_id: string | null;
  /** When the last scan saw the resource; RFC 3339. */
  seen_at: string;
  later_scan_failed: boolean;
}

/** What scans of the account know about the resource of a change. */
export interface LiveFacts {
  /** When the facts were looked up; ages are counted up to this time. RFC 3339. */
  as_of: string;
  drift: LiveDrift | null;
  exposure: LiveExposure | null;
}

export interface Change {
  /** `chg_` and 16 hex of SHA-256(address + "|" + (deposed or "")). */
  id: string;
  address: string;
  previous_address: string | null;
  module_address: string | null;
  mode: 'managed' | 'data';
  type: string;
  name: string;
  index: string | number | null;
  deposed: string | null;
  /** `aws`, `gcp`, `azure`, else the provider's short name (`kubernetes`, `random`). */
  provider: string;
  /** Source address without the registry host: `hashicorp/aws`. */
  provider_name: string;
  actions: string[];
  action: Action;
  action_label: string;
  action_reason: string | null;
  replace_paths: string[];
  importing: { id: string } | null;
  categories: Category[];
  risk: ChangeRisk;
  attributes: AttributeDiff[];
  attributes_total: number;
  attributes_truncated: boolean;
  noise: ChangeNoise;
  /** null if the change undoes nothing, and for entries of `resource_drift`. */
  reverts_drift: DriftReversal | null;
  live_resource_id: string | null;
  /** Present if scans found that the resource differs from its state, is gone, or is public. */
  live?: LiveFacts;
}

export interface OutputChange {
  name: string;
  action: Action;
  before: JsonValue;
  after: JsonValue;
  sensitive: boolean;
  after_unknown: boolean;
}

export interface CheckCounts {
  pass: number;
  fail: number;
  error: number;
  unknown: number;
}

export interface Summary {
  /** Managed changes with an effect: create, update, replace, delete, forget, import, move and unknown actions. */
  total: number;
  create: number;
  update: number;
  replace: number;
  delete: number;
  read: number;
  no_op: number;
  forget: number;
  import: number;
  move: number;
  /** Changes that destroy an object: delete and replace. */
  destructive: number;
  by_risk: Record<RiskLevel, number>;
  by_category: Record<string, number>;
  by_provider: Record<string, number>;
  /** At most 160 characters, no Markdown. */
  headline: string;
  terraform_version: string | null;
  format_version: string | null;
  plan_complete: boolean | null;
  plan_errored: boolean | null;
  plan_applyable: boolean | null;
  deferred: number;
  checks: CheckCounts;
  drift_detected: number;
}

export interface PlanNoiseCounts {
  known_benign: number;
  novel: number;
  suppressed: number;
  total: number;
  addresses: { known_benign: string[]; suppressed: string[] };
}

export type NarrativeStatus = 'ready' | 'fallback' | 'skipped';
export type SkipReason = 'byok_client_error' | 'byok_rate_limited' | 'decrypt_failed' | 'key_unavailable';

/** What a language model added to the narrative: inert Markdown that was verified against the plan. */
export interface Explanation {
  /** One paragraph; may be empty. */
  what_will_happen: string;
  /** One paragraph; may be empty. */
  why_it_matters: string;
  /** Items of the checklist, each with the addresses that it names. */
  what_to_check: { text: string; addresses: string[] }[];
  /** One or two sentences for a change, at most one note for each address. */
  notes: { address: string; note: string }[];
}

export const CONCERN_CATEGORIES = [
  'exposure',
  'data_loss',
  'outage',
  'silenced_alarm',
  'foreign_destination',
  'identity',
] as const;
export type ConcernCategory = (typeof CONCERN_CATEGORIES)[number];

/** A danger that a language model sees in one changed value and that no rule names; it changes no level. */
export interface Concern {
  /** Address of a planned change. */
  address: string;
  /** Path of a changed attribute of it, in the format of `AttributeDiff.path`. */
  path: string;
  category: ConcernCategory;
  /** Above the level of the change, at most high. */
  level: RiskLevel;
  /** Plain text with verified names and numbers, at most 300 characters. */
  sentence: string;
  /** The value in the plan. */
  before: JsonValue;
  after: JsonValue;
}

/** A check of the configuration (`check`, postcondition, variable validation) that did not pass. */
export interface CheckFinding {
  /** As Terraform writes it: `check.health`, `aws_lb.web`. */
  address: string;
  /** `unknown`: evaluated during apply. */
  status: 'fail' | 'error' | 'unknown';
  /** Error messages from the configuration, at most three; empty for `unknown`. */
  problems: string[];
}

/** A resource that could not be fully evaluated. */
export interface UnevaluatedResource {
  address: string;
  /**
   * `known_after_apply`: a rule reads attributes that are unknown until apply. `too_large`: texts over 1 MiB, of which
   * rules read only that they change. `deferred`: deferred to a later plan.
   */
  reason: 'known_after_apply' | 'too_large' | 'deferred';
  /** The attributes, at most five; empty for `deferred`. */
  paths: string[];
  paths_total: number;
}

/** Parts of the plan that the verdict does not cover. */
export interface NotEvaluated {
  /** Highest level first, deferred ones last; at most 100. */
  resources: UnevaluatedResource[];
  resources_total: number;
  /** Attributes that are unknown until apply, whether a rule reads them or not. */
  unknown_attributes: number;
  /** The plan was exported without values (the redacted JSON of HCP Terraform). */
  values_withheld: boolean;
}

/** `AnalyzeResult` without the fields that the service adds (`scan_run`, `trace_ids`). */
export interface PlanAnalysis {
  schema_version: 1;
  risk_level: RiskLevel;
  risk: {
    deterministic_level: RiskLevel;
    llm_level: RiskLevel | null;
    escalations: Reason[];
    policy_version: number;
    engine_version: string;
    blocked: boolean;
    block_reasons: Reason[];
    /**
     * The highest level of outputs, checks, actions and deferred changes, which other rules do not change. Present if it
     * is above none.
     */
    plan_level?: RiskLevel;
    /**
     * The level that decides whether a check or a command fails. Present only if a concern of a language model counts
     * and is above `risk_level`.
     */
    check_level?: RiskLevel;
  };
  narrative: string;
  narrative_status: NarrativeStatus;
  skip_reason: SkipReason | null;
  /** Why a language model that was asked did not explain the plan, as part of a sentence. */
  fallback_reason?: string;
  /** Present if a language model wrote the explanation. */
  explanation?: Explanation;
  /** Present if a language model raised concerns: highest level first, at most ten. */
  concerns?: Concern[];
  /** Without no-op and read; sorted by risk descending, action weight and address; at most 2,000. */
  changes: Change[];
  changes_total: number;
  changes_truncated: boolean;
  summary: Summary;
  output_changes: OutputChange[];
  resource_drift: Change[];
  plan_noise: PlanNoiseCounts;
  /** Failed ones first; at most 100. */
  checks: CheckFinding[];
  not_evaluated: NotEvaluated;
}
