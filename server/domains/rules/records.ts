/** The public fields of each record. */
import type { CustomRule, DisabledRule, RiskPolicy } from './types.ts';

export function customRuleRecord(rule: CustomRule) {
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    rule_type: rule.rule_type,
    config: rule.config,
    enabled: rule.enabled,
    created_at: rule.created_at.toISOString(),
    updated_at: rule.updated_at.toISOString(),
    created_by: rule.created_by,
  };
}

export function disabledRuleRecord(rule: DisabledRule) {
  return {
    id: rule.id,
    builtin_rule_id: rule.builtin_rule_id,
    rule_type: rule.rule_type,
    reason: rule.reason,
    disabled_by: rule.disabled_by,
    created_at: rule.created_at.toISOString(),
  };
}

export function riskPolicyRecord({ version, rules, updated_at, updated_by }: RiskPolicy) {
  return { version, rules, updated_at: updated_at?.toISOString() ?? null, updated_by };
}
