import type { IgnoreRule } from '../../../engine/drift/index.ts';
import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import { newId } from '../../lib/ids.ts';
import type { StoredIgnoreRule } from './types.ts';

const CONDITIONS = [
  'r.id',
  'r.drift_types',
  'r.resource_type',
  'r.address',
  'r.provider_resource_id',
  'r.attribute',
  'r.tag_key',
  'r.tag_value',
] as const;
const COLUMNS = [...CONDITIONS, 'r.reason', 'r.expires_at', 'r.created_at', 'u.email as created_by'] as const;

/** One page, newest first, and the total. */
export async function listRules(
  db: Db,
  orgId: string,
  page: { limit: number; offset: number },
): Promise<{ rules: StoredIgnoreRule[]; total: number }> {
  const matching = db('drift_ignore_rules as r')
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .where('r.org_id', orgId);
  const [rules, total] = await Promise.all([
    takeNewest(matching, page, 'r').select(...COLUMNS) as Promise<StoredIgnoreRule[]>,
    countRows(matching),
  ]);
  return { rules, total };
}

/** All rules that have not ended, oldest first: an item is ignored by the first that matches. */
export async function listLive(db: Db, orgId: string, now: Date): Promise<IgnoreRule[]> {
  return live(db, orgId, now)
    .orderBy(['r.created_at', 'r.id'])
    .select(...CONDITIONS);
}

export async function countLive(db: Db, orgId: string, now: Date): Promise<number> {
  return countRows(live(db, orgId, now));
}

/** @param created_by id of a user @returns the id */
export async function insertRule(db: Db, orgId: string, rule: Omit<StoredIgnoreRule, 'id'>): Promise<string> {
  const id = newId();
  await db('drift_ignore_rules').insert({ id, org_id: orgId, ...rule });
  return id;
}

/** @returns false if there was none */
export async function deleteRule(db: Db, orgId: string, id: string): Promise<boolean> {
  return (await db('drift_ignore_rules').where({ org_id: orgId, id }).delete()) === 1;
}

/** @returns the number of deleted rules */
export async function deleteEnded(db: Db, before: Date, limit: number): Promise<number> {
  const ended = db('drift_ignore_rules').where('expires_at', '<', before).limit(limit).select('id');
  return db('drift_ignore_rules').whereIn('id', ended).delete();
}

function live(db: Db, orgId: string, now: Date) {
  return db('drift_ignore_rules as r')
    .where('r.org_id', orgId)
    .where((open) => open.whereNull('r.expires_at').orWhere('r.expires_at', '>', now));
}
