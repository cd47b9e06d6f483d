import type { Db } from '../../db/index.ts';
import { countRows, newestFirst } from '../../db/paging.ts';
import { newId } from '../../lib/ids.ts';
import type { CustomRule, RuleType } from './types.ts';

const COLUMNS = [
  'r.id',
  'r.name',
  'r.description',
  'r.rule_type',
  'r.config',
  'r.enabled',
  'r.created_at',
  'r.updated_at',
  'u.email as created_by',
] as const;

/** @returns the id */
export async function insertRule(db: Db, orgId: string, rule: Omit<CustomRule, 'id' | 'updated_at'>): Promise<string> {
  const id = newId();
  const { created_at } = rule;
  await db('custom_rules').insert({
    id,
    org_id: orgId,
    ...rule,
    config: JSON.stringify(rule.config),
    updated_at: created_at,
  });
  return id;
}

/** Every rule counts toward the limit, enabled or not. */
export async function countRules(db: Db, orgId: string): Promise<number> {
  return countRows(db('custom_rules').where({ org_id: orgId }));
}

/** @param except id of a rule that can have the name */
export async function isNameTaken(
  db: Db,
  orgId: string,
  { rule_type, name, except }: { rule_type: RuleType; name: string; except?: string },
): Promise<boolean> {
  const named = db('custom_rules').where({ org_id: orgId, rule_type }).whereRaw('lower(name) = lower(?)', [name]);
  if (except !== undefined) named.whereNot({ id: except });
  return (await named.first('id')) !== undefined;
}

/** Newest first. */
export async function listRules(db: Db, orgId: string, rule_type: RuleType | undefined): Promise<CustomRule[]> {
  const rules = selected(db, orgId);
  if (rule_type !== undefined) rules.where('r.rule_type', rule_type);
  return rules.orderBy(newestFirst('r'));
}

export async function findRule(db: Db, orgId: string, id: string): Promise<CustomRule | undefined> {
  const [rule] = await selected(db, orgId).where('r.id', id);
  return rule;
}

export async function updateRule(
  db: Db,
  orgId: string,
  id: string,
  changes: Partial<Pick<CustomRule, 'name' | 'description' | 'config' | 'enabled'>> & { updated_at: Date },
): Promise<void> {
  const { config, ...columns } = changes;
  await db('custom_rules')
    .where({ org_id: orgId, id })
    .update({ ...columns, ...(config && { config: JSON.stringify(config) }) });
}

/** @returns whether there was one */
export async function deleteRule(db: Db, orgId: string, id: string): Promise<boolean> {
  return (await db('custom_rules').where({ org_id: orgId, id }).delete()) === 1;
}

function selected(db: Db, orgId: string) {
  return db('custom_rules as r')
    .join('users as u', 'u.id', 'r.created_by')
    .where('r.org_id', orgId)
    .select(...COLUMNS);
}
