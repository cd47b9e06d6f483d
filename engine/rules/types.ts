/**
 * Rules of an organization: custom rules, disabled built-in rules, suppressed noise patterns, and the risk policy. All
 * of it is plain data that can be passed to worker threads.
 */
import type { Action, Category, JsonValue, RiskLevel } from '../model/result.ts';

/** Selects changes: all given fields must match, each with any of its items; empty = every change. */
export interface Match {
  /** Globs over the resource type. */
  resource_types?: string[];
  /** Globs over the address, segment by segment: `module.app.**`, `aws_s3_bucket.logs["*"]`. */
  addresses?: string[];
  /** Globs over the module address. */
  modules?: string[];
  /** Cloud providers of the change. */
  providers?: ('aws' | 'gcp' | 'azure')[];
  actions?: Action[];
  /** Globs over `owner/name`. */
  repos?: string[];
  branches?: string[];
  categories?: Category[];
  /** Changes to exclude; cannot contain another `not`. */
  not?: Match;
}

export const OPERATORS = [
  'exists',
  'absent',
  'changed',
  'unchanged',
  'eq',
  'ne',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'increased',
  'decreased',
  'matches',
  'contains',
  'added',
  'removed',
  'became',
  'cidr_includes',
  'cidr_wider_than',
  'is_unknown',
  'is_sensitive',
  'length_gt',
  'length_lt',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** A condition on one attribute of a change. */
export interface Predicate {
  /** Attribute path; `[*]` and `*` match any index or key, and one matching attribute is enough. */
  path: string;
  op: Operator;
  value?: JsonValue;
  /** For `in` and `not_in`. */
  values?: JsonValue[];
  /** Which side to test; default `after`. */
  on?: 'after' | 'before' | 'either';
  negate?: boolean;
}

/** Fields shared by all rules: which changes they match. */
export interface Condition {
  match: Match;
  when?: Predicate[];
  /** Default `all`. */
  when_mode?: 'all' | 'any';
}

export interface NoiseRuleConfig extends Condition {
  version: 1;
  /** Globs over attribute paths that the rule classifies as noise; default: every attribute. */
  attributes?: string[];
  /**
   * `only` (default): the rule applies if it covers every changed attribute. `any`: it applies to those that it covers.
   */
  attributes_mode?: 'only' | 'any';
  severity: 'harmless' | 'warning' | 'caution';
}

export interface RiskRuleConfig extends Condition {
  version: 1;
  effect: 'raise' | 'cap';
  level: RiskLevel;
  message: string;
}

export interface PolicyRule extends Condition {
  /** A slug, unique within the policy. */
  id: string;
  name: string;
  enabled: boolean;
  effect: 'raise' | 'cap' | 'set' | 'block';
  /** Required for every effect except `block`. */
  level?: RiskLevel;
  reason: string;
  /** RFC 3339; null or absent = never. */
  expires_at?: string | null;
}

/** A suppressed pattern at one address. */
export interface Suppression {
  id: string;
  fingerprint: string;
  resource_address: string;
  /** RFC 3339; null = never. */
  expires_at: string | null;
}

/** Enabled rules only. */
export interface OrgRules {
  noise_rules: { id: string; config: NoiseRuleConfig }[];
  risk_rules: { id: string; name: string; config: RiskRuleConfig }[];
  /** Ids of disabled built-in rules. */
  disabled: { noise: string[]; risk: string[] };
  suppressions: Suppression[];
  /** Owners that the organization confirmed as its own, in canonical form: `account:123456789012`, `example.com`. */
  owners: string[];
  /** Version 0 = no policy was ever set. */
  policy: { version: number; rules: PolicyRule[] };
}

/** Repository, branch and time of a run, for conditions and expiry. */
export interface RunContext {
  /** `owner/name` */
  repo: string | null;
  branch: string | null;
  now: Date;
}
