/**
 * What an org has decided about its plans: rules of its own, built-in rules it has switched off, patterns it accepts as
 * noise, and its risk policy. All of it is plain data, which crosses to worker threads as it is.
 */
import type { Action, Category, JsonValue, RiskLevel } from '../result.ts';

/** Which changes a rule speaks of: all named members must hold, of each list one item is enough; empty = every change. */
export interface Match {
  /** Globs over the resource type. */
  resource_types?: string[];
  /** Globs over the address, segment by segment: `module.app.**`, `aws_s3_bucket.logs["*"]`. */
  addresses?: string[];
  /** Globs over the module address. */
  modules?: string[];
  /** The clouds whose provider makes the change. */
  providers?: ('aws' | 'gcp' | 'azure')[];
  actions?: Action[];
  /** Globs over `owner/name`. */
  repos?: string[];
  branches?: string[];
  categories?: Category[];
  /** Changes to leave out; holds no further `not`. */
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
  /** Attribute path; `[*]` and `*` stand for any index or key, and then one place that holds is enough. */
  path: string;
  op: Operator;
  value?: JsonValue;
  /** Of `in` and `not_in`. */
  values?: JsonValue[];
  /** Which side is asked, `after` unless given. */
  on?: 'after' | 'before' | 'either';
  negate?: boolean;
}

/** What the rules of every kind have in common: the changes they speak of. */
export interface Condition {
  match: Match;
  when?: Predicate[];
  /** `all` unless given. */
  when_mode?: 'all' | 'any';
}

export interface NoiseRuleConfig extends Condition {
  version: 1;
  /** Globs over attribute paths: what the rule calls noise; every attribute unless given. */
  attributes?: string[];
  /** `only` (unless given): the rule holds when every changed attribute is among them. `any`: it holds for those that are. */
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
  /** A slug, unique in its policy. */
  id: string;
  name: string;
  enabled: boolean;
  effect: 'raise' | 'cap' | 'set' | 'block';
  /** Of every effect but `block`. */
  level?: RiskLevel;
  reason: string;
  /** RFC 3339; null or left out = for ever. */
  expires_at?: string | null;
}

/** An accepted pattern at one address. */
export interface Suppression {
  id: string;
  fingerprint: string;
  resource_address: string;
  /** RFC 3339; null = for ever. */
  expires_at: string | null;
}

/** Enabled rules only. */
export interface OrgRules {
  noise_rules: { id: string; config: NoiseRuleConfig }[];
  risk_rules: { id: string; name: string; config: RiskRuleConfig }[];
  /** Ids of built-in rules that the org has switched off. */
  disabled: { noise: string[]; risk: string[] };
  suppressions: Suppression[];
  /** Version 0 = none was ever set. */
  policy: { version: number; rules: PolicyRule[] };
}

/** Where and when the plan was made, for conditions on repository and branch, and for what expires. */
export interface RunContext {
  /** `owner/name` */
  repo: string | null;
  branch: string | null;
  now: Date;
}
