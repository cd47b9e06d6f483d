import { pickFields } from '../../contract/pick-fields.ts';
/** The public fields of each record. */
import type { CustomRule, DisabledRule, RiskPolicy } from './types.ts';

export function customRuleRecord(rule: CustomRule) {
  return pickFields(rule, [
    'id',
    'name',
    'description',
    'rule_type',
    'config',
    'enabled',
    'created_at',
    'updated_at',
    'created_by',
  ]);
}

export function disabledRuleRecord(rule: DisabledRule) {
  return pickFields(rule, ['id', 'builtin_rule_id', 'rule_type', 'reason', 'disabled_by', 'created_at']);
}

export function riskPolicyRecord(policy: RiskPolicy) {
  return pickFields(policy, ['version', 'rules', 'updated_at', 'updated_by']);
}
