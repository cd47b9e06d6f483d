import type { NoiseRuleConfig, OrgRules, PolicyRule, RiskRuleConfig, RuleToTry } from '../../../engine/rules/index.ts';

export type RuleType = RuleToTry['rule_type'];

export interface CustomRule {
  id: string;
  name: string;
  description: string;
  rule_type: RuleType;
  config: NoiseRuleConfig | RiskRuleConfig;
  enabled: boolean;
  created_at: Date;
  updated_at: Date;
  /** Email. */
  created_by: string;
}

export interface CustomRuleInput {
  name: string;
  description: string;
  /** Not validated. */
  config: unknown;
}

export interface DisabledRule {
  id: string;
  builtin_rule_id: string;
  rule_type: RuleType;
  reason: string | null;
  /** Email. */
  disabled_by: string;
  created_at: Date;
}

export interface DisabledRuleInput {
  builtin_rule_id: string;
  rule_type: RuleType;
  reason?: string | null | undefined;
}

/** Version 0 = none was ever set. */
export interface RiskPolicy {
  version: number;
  rules: PolicyRule[];
  updated_at: Date | null;
  /** Email. */
  updated_by: string | null;
}

/** The part of an organization's rules that this domain has; suppressions are plan noise, and owners known owners. */
export type RulesInForce = Omit<OrgRules, 'suppressions' | 'owners'>;

/** The replaced parts of a preview; omitted parts are those of the organization. */
export interface PreviewInput {
  rules?: unknown;
  custom_rules?: { rule_type: RuleType; name: string; config: unknown }[] | undefined;
  scan_run_id: string;
}
