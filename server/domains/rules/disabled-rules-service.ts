import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Keep } from '../../db/index.ts';
import { assertFound, Conflict } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { assertDisableable } from './builtin-rules.ts';
import * as store from './disabled-rules-store.ts';
import type { DisabledRule, DisabledRuleInput, RuleType } from './types.ts';

export interface DisabledRulesDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  audit: AuditWriter;
}

export function createDisabledRules({ db, audit, now }: DisabledRulesDeps) {
  /** All built-in rules that the organization has disabled, newest first. */
  async function list(orgId: string, rule_type?: RuleType): Promise<DisabledRule[]> {
    return db.readInOrg(orgId, (read) => store.listDisabledRules(read, orgId, rule_type));
  }

  /**
   * Disables a built-in rule.
   *
   * @throws NotFound if no rule of the type has the id; InvalidInput for a rule that cannot be disabled; Conflict
   *   `already_disabled`
   */
  async function disable(
    principal: Principal,
    orgId: string,
    input: DisabledRuleInput,
    keep?: Keep<DisabledRule>,
  ): Promise<DisabledRule> {
    const { id: disabled_by, email } = principal.user;
    const { builtin_rule_id, rule_type } = input;
    assertDisableable(rule_type, builtin_rule_id);
    const row = { builtin_rule_id, rule_type, reason: input.reason?.trim() || null, disabled_by, created_at: now() };
    const rule = await db.inOrg(orgId, async (trx) => {
      const id = await store.insertDisabledRule(trx, orgId, row);
      if (id === undefined) throw new Conflict(`"${builtin_rule_id}" is already disabled`, 'already_disabled');
      const added = { ...row, id, disabled_by: email };
      await keep?.(trx, added);
      return added;
    });
    const detail = { builtin_rule_id, rule_type };
    await audit.record({ action: 'builtin_rule.disabled', org_id: orgId, actor_email: email, detail });
    return rule;
  }

  /**
   * Enables a built-in rule again.
   *
   * @throws NotFound
   */
  async function enable(principal: Principal, orgId: string, id: string): Promise<void> {
    const enabled = assertFound(await db.inOrg(orgId, (trx) => store.deleteDisabledRule(trx, orgId, id)));
    const { builtin_rule_id, rule_type } = enabled;
    await audit.record({
      action: 'builtin_rule.enabled',
      org_id: orgId,
      actor_email: principal.user.email,
      detail: { builtin_rule_id, rule_type },
    });
  }

  return { list, disable, enable };
}

export type DisabledRules = ReturnType<typeof createDisabledRules>;
