/**
 * What an analysis returns: the part of the contract's `AnalyzeResult` that the plan alone decides.
 * Field names are the contract's; `openapi.yaml` is the reference for each of them.
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
/** Parsed JSON; made by `JSON.parse`, so `__proto__` is an ordinary own key. Read members with `Object.hasOwn`. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** One named cause of a level. Every level of an analysis can be traced to these. */
export interface Reason {
  rule_id: string;
  kind: 'base' | 'attribute' | 'exposure' | 'blast' | 'noise' | 'custom' | 'policy' | 'llm';
  effect: 'raise' | 'cap' | 'set' | 'block';
  level: RiskLevel;
  /** Attribute path as rendered in `AttributeDiff.path`, or null when the whole change is meant. */
  path: string | null;
  /** One plain sentence; holds no secret value. */
  message: string;
}

export type DiffOp = 'add' | 'update' | 'remove' | 'reorder';
export type Direction = 'weakening' | 'neutral' | 'strengthening';
export type NoiseClass = 'known_benign' | 'likely_benign' | 'novel';

/** One changed leaf of a resource. In a finished result the values are redacted (null where withheld). */
/** As what both sides of a leaf are proven to be the same. */
export type Equivalence =
  /** The same items in another order, of a list in which order means nothing. */
  | 'order'
  /** One document or expression in another writing. */
  | 'document'
  /** Policies that grant and deny the same. */
  | 'policy'
  /** A name, an id or a link of one thing. */
  | 'name'
  /** The same addresses or ports. */
  | 'address'
  /** The same instant or length of time. */
  | 'time'
  | 'number'
  /** Letter case, on a path where it means nothing. */
  | 'case'
  | 'blanks'
  /** Null on one side, nothing on the other. */
  | 'empty'
  /** Null on one side, on the other what the provider takes for it. */
  | 'default';

export interface AttributeDiff {
  /** Dots and `[n]`; keys that need quotes as `["a.b"]`. */
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
  /** Present where the values prove that nothing changes. */
  same?: Equivalence;
  /** A shown string was cut at 1,024 characters. */
  truncated: boolean;
  /** Present and true where the second net withheld a value which the plan had not marked sensitive. */
  scrubbed?: true;
}

export interface ChangeNoise {
  classification: NoiseClass;
  severity: 'harmless' | 'warning' | 'caution' | null;
  /** 32 lower-case hex each, sorted, unique; leaves without a fingerprint are left out. */
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
  /** Neither noise nor an org's own rules take anything off the level; only its policy does. */
  guarded: boolean;
  /** Highest level first, then rule id. */
  reasons: Reason[];
}

/** The planned change undoes a change that was made outside of the code. */
export interface DriftReversal {
  /** The attributes get back the values that the code had set, or get others, or the deleted object is created again. */
  kind: 'revert' | 'overwrite' | 'recreate';
  /** Attributes as rendered in `AttributeDiff.path`, at most 20; none for `recreate`. */
  paths: string[];
  paths_total: number;
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
  /** null where the change undoes nothing, and for an entry of `resource_drift` itself. */
  reverts_drift: DriftReversal | null;
  live_resource_id: string | null;
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
  /** Managed changes that do something: create, update, replace, delete, forget, import, move and unknown actions. */
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
  /** At most 160 characters, no markdown. */
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

/** A check of the configuration (`check`, postcondition, variable validation) that did not pass. */
export interface CheckFinding {
  /** As Terraform writes it: `check.health`, `aws_lb.web`. */
  address: string;
  /** `unknown`: only apply will tell. */
  status: 'fail' | 'error' | 'unknown';
  /** What the configuration says is wrong, at most three messages; none for `unknown`. */
  problems: string[];
}

/** A resource of which something could not be judged. */
export interface UnevaluatedResource {
  address: string;
  /** `known_after_apply`: of attributes that a rule reads. `deferred`: Terraform leaves the change to a later plan. */
  reason: 'known_after_apply' | 'deferred';
  /** The attributes, at most five; none for `deferred`. */
  paths: string[];
  paths_total: number;
}

/** What the verdict does not cover. */
export interface NotEvaluated {
  /** Highest level first, deferred ones last; at most 100. */
  resources: UnevaluatedResource[];
  resources_total: number;
  /** Attributes that are unknown until apply, whether a rule reads them or not. */
  unknown_attributes: number;
  /** The maker of the plan's JSON withheld its values (HCP Terraform's redacted form). */
  values_withheld: boolean;
}

/** The contract's `AnalyzeResult` without what only the service knows (`scan_run`, `trace_ids`). */
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
  };
  narrative: string;
  narrative_status: NarrativeStatus;
  skip_reason: SkipReason | null;
  /** No-op and read left out; risk descending, then action weight, then address; at most 2,000. */
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
