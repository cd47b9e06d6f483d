import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { DomainEntry } from './types.ts';

const MOST_DOMAINS = 10_000;

/** All domains, sorted by name. */
export async function listDomains(db: Db): Promise<DomainEntry[]> {
  return db('domain_allowlist as d')
    .leftJoin('users as u', 'u.id', 'd.created_by')
    .orderBy('d.domain')
    .limit(MOST_DOMAINS)
    .select('d.id', 'd.domain', 'd.created_at', 'u.email as created_by');
}

export async function listDomainNames(db: Db): Promise<string[]> {
  return db('domain_allowlist').pluck('domain');
}

/** The new row; undefined if the domain is already on the list. */
export async function insertDomain(
  db: Db,
  row: { domain: string; created_by: string | null; now: Date },
): Promise<{ id: string; domain: string; created_at: Date } | undefined> {
  const [inserted] = await db('domain_allowlist')
    .insert({ id: newId(), domain: row.domain, created_by: row.created_by, created_at: row.now })
    .onConflict('domain')
    .ignore()
    .returning(['id', 'domain', 'created_at']);
  return inserted;
}

/** The deleted domain; undefined if there is no such row. */
export async function deleteDomain(db: Db, id: string): Promise<string | undefined> {
  const [deleted] = await db('domain_allowlist').where({ id }).delete().returning('domain');
  return deleted?.domain;
}

/**
 * Whether the list can be seeded: true for one caller in the life of the database, and only while the list is empty.
 */
export async function claimSeed(trx: Db, now: Date): Promise<boolean> {
  const claimed = await trx('domain_allowlist_seed')
    .insert({ seeded_at: now })
    .onConflict('only_row')
    .ignore()
    .returning('only_row');
  if (claimed.length === 0) return false;
  return (await trx('domain_allowlist').first('id')) === undefined;
}
