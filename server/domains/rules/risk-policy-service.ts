import type { ServiceDeps } from '../../contract/service-deps.ts';
import { lockOrg } from '../../db/index.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { parsePolicy } from './config.ts';
import * as store from './risk-policy-store.ts';
import type { RiskPolicy } from './types.ts';

export interface RiskPoliciesDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  audit: AuditWriter;
}

export function createRiskPolicies({ db, audit, now }: RiskPoliciesDeps) {
  /** The current policy. */
  async function get(orgId: string): Promise<RiskPolicy> {
    return db.readInOrg(orgId, (read) => store.findPolicy(read, orgId));
  }

  /**
   * Creates a new version of the policy, unless the rules are unchanged.
   *
   * @param rules not validated
   * @param assertKnown throws if the caller knows another state than the current one
   * @throws InvalidInput `invalid_config`
   */
  async function replace(
    principal: Principal,
    orgId: string,
    input: unknown,
    assertKnown: (policy: RiskPolicy) => void,
  ): Promise<RiskPolicy> {
    const { id: updated_by, email } = principal.user;
    const rules = parsePolicy(input);
    const { policy, changed } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const policy = await store.findPolicy(trx, orgId);
      assertKnown(policy);
      if (JSON.stringify(rules) === JSON.stringify(policy.rules)) return { policy, changed: false };
      const next = { version: policy.version + 1, rules, updated_by, updated_at: now() };
      await store.insertPolicy(trx, orgId, next);
      return { policy: { ...next, updated_by: email }, changed: true };
    });
    if (changed) {
      const detail = { rule_count: rules.length, version: policy.version };
      await audit.record({ action: 'policy.updated', org_id: orgId, actor_email: email, detail });
    }
    return policy;
  }

  return { get, replace };
}

export type RiskPolicies = ReturnType<typeof createRiskPolicies>;
