import { type CustomRulesDeps, createCustomRules } from './custom-rules-service.ts';
import { createDisabledRules } from './disabled-rules-service.ts';
import { findRulesInForce } from './in-force-store.ts';
import { createRiskPolicies } from './risk-policy-service.ts';
import { createTrials, type TrialsDeps } from './trial-service.ts';
import type { RulesInForce } from './types.ts';

export interface RulesDeps extends CustomRulesDeps, TrialsDeps {}

/** An organization's custom rules, disabled rules and risk policy. */
export function createRules(deps: RulesDeps) {
  const { db } = deps;

  /** The rules for an analysis that begins now. */
  async function forAnalysis(orgId: string): Promise<RulesInForce> {
    return db.readInOrg(orgId, (read) => findRulesInForce(read, orgId));
  }

  return {
    custom: createCustomRules(deps),
    disabled: createDisabledRules(deps),
    policy: createRiskPolicies(deps),
    trials: createTrials(deps),
    forAnalysis,
  };
}

export type Rules = ReturnType<typeof createRules>;
