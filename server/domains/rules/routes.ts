import type { Handlers } from '../../contract/operation.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { customRuleRecord, disabledRuleRecord, riskPolicyRecord } from './records.ts';
import type { Rules } from './service.ts';
import type { CustomRule, DisabledRule } from './types.ts';

export function ruleRoutes(rules: Rules) {
  return { ...catalogRoutes(), ...customRuleRoutes(rules), ...disabledRuleRoutes(rules), ...riskPolicyRoutes(rules) };
}

/** Records that must exist before the body of a request is validated. */
export function rulePathChecks({ custom }: Pick<Rules, 'custom'>) {
  const assertRuleExists = ({ org_id, path }: InOrgPath) => custom.get(org_id, path['rule_id'] ?? '');
  return { updateCustomRule: assertRuleExists, setCustomRuleEnabled: assertRuleExists };
}

interface InOrgPath {
  org_id: string;
  path: Record<string, string>;
}

type CustomRuleOperations =
  | 'listCustomRules'
  | 'createCustomRule'
  | 'getCustomRule'
  | 'updateCustomRule'
  | 'setCustomRuleEnabled'
  | 'deleteCustomRule'
  | 'testCustomRule';

function customRuleRoutes({ custom, trials }: Rules): Pick<Handlers, CustomRuleOperations> {
  return {
    async listCustomRules({ org, query }) {
      const rules = await custom.list(org.id, query.rule_type);
      return { status: 200, body: { rules: rules.map(customRuleRecord) } };
    },

    async createCustomRule({ principal, org, body, once }) {
      return once(
        (rule: CustomRule) => {
          const Location = `/api/v2/orgs/${org.id}/custom-rules/${rule.id}`;
          return { status: 201, body: customRuleRecord(rule), headers: { Location } };
        },
        (keep) => custom.create(principal, org.id, body, keep),
      );
    },

    async getCustomRule({ org, path }) {
      return { status: 200, body: customRuleRecord(await custom.get(org.id, path.rule_id)) };
    },

    async updateCustomRule({ principal, org, path, body, assertKnown }) {
      const rule = await custom.update(principal, org.id, path.rule_id, body, (present) =>
        assertKnown(customRuleRecord(present)),
      );
      return { status: 200, body: customRuleRecord(rule) };
    },

    async setCustomRuleEnabled({ principal, org, path, body }) {
      const rule = await custom.setEnabled(principal, org.id, path.rule_id, body.enabled);
      return { status: 200, body: customRuleRecord(rule) };
    },

    async deleteCustomRule({ principal, org, path }) {
      await custom.remove(principal, org.id, path.rule_id);
      return { status: 204 };
    },

    async testCustomRule({ org, body }) {
      return { status: 200, body: await trials.testRule(org.id, body) };
    },
  };
}

type DisabledRuleOperations = 'listDisabledRules' | 'disableBuiltinRule' | 'enableBuiltinRule';

function disabledRuleRoutes({ disabled }: Rules): Pick<Handlers, DisabledRuleOperations> {
  return {
    async listDisabledRules({ org, query }) {
      const rules = await disabled.list(org.id, query.rule_type);
      return { status: 200, body: { rules: rules.map(disabledRuleRecord) } };
    },

    async disableBuiltinRule({ principal, org, body, once }) {
      return once(
        (rule: DisabledRule) => ({ status: 201, body: disabledRuleRecord(rule) }),
        (keep) => disabled.disable(principal, org.id, body, keep),
      );
    },

    async enableBuiltinRule({ principal, org, path }) {
      await disabled.enable(principal, org.id, path.disabled_rule_id);
      return { status: 204 };
    },
  };
}

type RiskPolicyOperations = 'getRiskPolicy' | 'replaceRiskPolicy' | 'previewRiskPolicy';

function riskPolicyRoutes({ policy, trials }: Rules): Pick<Handlers, RiskPolicyOperations> {
  return {
    async getRiskPolicy({ org }) {
      return { status: 200, body: riskPolicyRecord(await policy.get(org.id)) };
    },

    async replaceRiskPolicy({ principal, org, body, assertKnown }) {
      const replaced = await policy.replace(principal, org.id, body.rules, (present) =>
        assertKnown(riskPolicyRecord(present)),
      );
      return { status: 200, body: riskPolicyRecord(replaced) };
    },

    async previewRiskPolicy({ org, body }) {
      return { status: 200, body: await trials.preview(org.id, body) };
    },
  };
}
