import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, NotFound } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { cleanName, type Orgs } from '../orgs/index.ts';
import { parseConfig } from './config.ts';
import * as store from './custom-rules-store.ts';
import type { CustomRule, CustomRuleInput, RuleType } from './types.ts';

export interface CustomRulesDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom'>;
  audit: AuditWriter;
}

export function createCustomRules({ db, orgs, audit, now }: CustomRulesDeps) {
  /** All rules of the organization, newest first. */
  async function list(orgId: string, rule_type?: RuleType): Promise<CustomRule[]> {
    return db.readInOrg(orgId, (read) => store.listRules(read, orgId, rule_type));
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<CustomRule> {
    return assertFound(await db.readInOrg(orgId, (read) => store.findRule(read, orgId, id)));
  }

  /**
   * @throws InvalidInput, `invalid_config` for an invalid config; Conflict `rule_name_taken`; PaymentRequired if the
   *   organization has as many rules as its plan allows
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: CustomRuleInput & { rule_type: RuleType; enabled?: boolean | undefined },
    keep?: Keep<CustomRule>,
  ): Promise<CustomRule> {
    const { id: created_by, email } = principal.user;
    const { rule_type, description, enabled = true } = input;
    const name = cleanName(input.name, 'name');
    const { config } = parseConfig(rule_type, input.config);
    const created_at = now();
    const row = { name, description, rule_type, config, enabled, created_by, created_at };
    const rule = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await orgs.assertRoom(trx, orgId, 'custom_rules');
      await assertFree(trx, orgId, { rule_type, name });
      const id = await store.insertRule(trx, orgId, row);
      const created = { ...row, id, created_by: email, updated_at: created_at };
      await keep?.(trx, created);
      return created;
    });
    const detail = { rule_id: rule.id, name, rule_type };
    await audit.record({ action: 'custom_rule.created', org_id: orgId, actor_email: email, detail });
    return rule;
  }

  /**
   * Replaces the content of a rule; its type does not change.
   *
   * @param assertKnown throws if the caller knows another state than the current one
   * @throws NotFound, InvalidInput, Conflict `rule_name_taken`
   */
  async function update(
    principal: Principal,
    orgId: string,
    id: string,
    input: CustomRuleInput,
    assertKnown: (rule: CustomRule) => void,
  ): Promise<CustomRule> {
    const { description } = input;
    const name = cleanName(input.name, 'name');
    const { rule_type } = await get(orgId, id);
    const { config } = parseConfig(rule_type, input.config);
    const updated = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const rule = assertFound(await store.findRule(trx, orgId, id));
      assertKnown(rule);
      await assertFree(trx, orgId, { rule_type, name, except: id });
      const changes = { name, description, config, updated_at: now() };
      await store.updateRule(trx, orgId, id, changes);
      return { ...rule, ...changes };
    });
    await record(principal, orgId, 'custom_rule.updated', id);
    return updated;
  }

  /**
   * Enables or disables the rule; does nothing if it already has that state.
   *
   * @throws NotFound
   */
  async function setEnabled(principal: Principal, orgId: string, id: string, enabled: boolean): Promise<CustomRule> {
    const { rule, changed } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const rule = assertFound(await store.findRule(trx, orgId, id));
      if (rule.enabled === enabled) return { rule, changed: false };
      const changes = { enabled, updated_at: now() };
      await store.updateRule(trx, orgId, id, changes);
      return { rule: { ...rule, ...changes }, changed: true };
    });
    if (changed) await record(principal, orgId, enabled ? 'custom_rule.enabled' : 'custom_rule.disabled', id);
    return rule;
  }

  /** @throws NotFound */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    const found = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      return store.deleteRule(trx, orgId, id);
    });
    if (!found) throw new NotFound();
    await record(principal, orgId, 'custom_rule.deleted', id);
  }

  async function record({ user }: Principal, org_id: string, action: RuleAction, rule_id: string): Promise<void> {
    await audit.record({ action, org_id, actor_email: user.email, detail: { rule_id } });
  }

  return { list, get, create, update, setEnabled, remove };
}

export type CustomRules = ReturnType<typeof createCustomRules>;

type RuleAction = 'custom_rule.updated' | 'custom_rule.enabled' | 'custom_rule.disabled' | 'custom_rule.deleted';

/** Names are assigned only under `lockOrg`, so they are unique. */
async function assertFree(
  trx: Db,
  orgId: string,
  rule: { rule_type: RuleType; name: string; except?: string },
): Promise<void> {
  if (!(await store.isNameTaken(trx, orgId, rule))) return;
  throw new Conflict(
    `a ${rule.rule_type} rule named "${rule.name}" already exists; choose another name`,
    'rule_name_taken',
  );
}
