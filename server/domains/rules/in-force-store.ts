import type { RuleToTry } from '../../../engine/rules/index.ts';
import type { Db } from '../../db/index.ts';
import type { RulesInForce, RuleType } from './types.ts';

interface InForceRow {
  custom: ({ id: string; name: string } & RuleToTry)[];
  disabled: { rule_type: RuleType; id: string }[];
  policy: RulesInForce['policy'] | null;
}

/**
 * Everything that an analysis needs from an organization's rules, in one statement; custom rules in the order of
 * creation.
 */
export async function findRulesInForce(db: Db, orgId: string): Promise<RulesInForce> {
  const { rows } = await db.raw(
    `select
       (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'rule_type', rule_type, 'config', config)
                                 order by created_at, id), '[]')
        from custom_rules where org_id = :orgId and enabled) as custom,
       (select coalesce(json_agg(json_build_object('rule_type', rule_type, 'id', builtin_rule_id)
                                 order by builtin_rule_id), '[]')
        from disabled_rules where org_id = :orgId) as disabled,
       (select json_build_object('version', version, 'rules', rules)
        from risk_policies where org_id = :orgId order by version desc limit 1) as policy`,
    { orgId },
  );
  const { custom, disabled, policy }: InForceRow = rows[0];
  const ids = (type: RuleType) => disabled.filter(({ rule_type }) => rule_type === type).map(({ id }) => id);
  return {
    noise_rules: custom.flatMap((rule) => (rule.rule_type === 'noise' ? [{ id: rule.id, config: rule.config }] : [])),
    risk_rules: custom.flatMap((rule) =>
      rule.rule_type === 'risk' ? [{ id: rule.id, name: rule.name, config: rule.config }] : [],
    ),
    disabled: { noise: ids('noise'), risk: ids('risk') },
    policy: policy ?? { version: 0, rules: [] },
  };
}
