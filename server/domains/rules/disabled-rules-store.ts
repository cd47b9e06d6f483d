import type { Db } from '../../db/index.ts';
import { newestFirst } from '../../db/paging.ts';
import { newId } from '../../lib/ids.ts';
import type { DisabledRule, RuleType } from './types.ts';

/** @returns the id; undefined if the rule is already disabled */
export async function insertDisabledRule(
  db: Db,
  orgId: string,
  rule: Omit<DisabledRule, 'id'>,
): Promise<string | undefined> {
  const [row] = await db('disabled_rules')
    .insert({ id: newId(), org_id: orgId, ...rule })
    .onConflict(['org_id', 'rule_type', 'builtin_rule_id'])
    .ignore()
    .returning('id');
  return row?.id;
}

/** Newest first. */
export async function listDisabledRules(
  db: Db,
  orgId: string,
  rule_type: RuleType | undefined,
): Promise<DisabledRule[]> {
  const rules = db('disabled_rules as d').join('users as u', 'u.id', 'd.disabled_by').where('d.org_id', orgId);
  if (rule_type !== undefined) rules.where('d.rule_type', rule_type);
  return rules
    .orderBy(newestFirst('d'))
    .select('d.id', 'd.builtin_rule_id', 'd.rule_type', 'd.reason', 'u.email as disabled_by', 'd.created_at');
}

/** @returns the deleted entry; undefined if there is none */
export async function deleteDisabledRule(
  db: Db,
  orgId: string,
  id: string,
): Promise<Pick<DisabledRule, 'builtin_rule_id' | 'rule_type'> | undefined> {
  const [row] = await db('disabled_rules')
    .where({ org_id: orgId, id })
    .delete()
    .returning(['builtin_rule_id', 'rule_type']);
  return row;
}
