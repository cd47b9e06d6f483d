import { type Db, findNthNewest } from '../../db/index.ts';
import { countRows, newestFirst } from '../../db/paging.ts';
import type { NthNewest } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import type { FederationTrust, TrustCandidate, TrustInput } from './types.ts';

const TRUST_COLUMNS = [
  't.id',
  't.name',
  't.issuer',
  't.conditions',
  't.scopes',
  't.ttl_seconds',
  't.enabled',
  't.created_at',
  't.last_used_at',
  't.created_by as creator_id',
  'u.email as creator_email',
] as const;

type TrustRow = Omit<FederationTrust, 'created_by'> & { creator_id: string; creator_email: string };

/** @returns the id */
export async function insertTrust(
  db: Db,
  orgId: string,
  trust: Required<TrustInput> & { created_by: string; created_at: Date },
): Promise<string> {
  const id = newId();
  await db('federation_trusts').insert({
    id,
    org_id: orgId,
    ...trust,
    conditions: JSON.stringify(trust.conditions),
  });
  return id;
}

export async function countTrusts(db: Db, orgId: string): Promise<number> {
  return countRows(db('federation_trusts').where({ org_id: orgId }).whereNull('deleted_at'));
}

/** All trusts of the organization, newest first. */
export async function listTrusts(db: Db, orgId: string): Promise<FederationTrust[]> {
  const rows: TrustRow[] = await db('federation_trusts as t')
    .join('users as u', 'u.id', 't.created_by')
    .where('t.org_id', orgId)
    .whereNull('t.deleted_at')
    .orderBy(newestFirst('t'))
    .select(TRUST_COLUMNS);
  return rows.map(({ creator_id, creator_email, ...trust }) => ({
    ...trust,
    created_by: { id: creator_id, email: creator_email },
  }));
}

/** @returns whether there was one */
export async function deleteTrust(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  const count = await db('federation_trusts')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .update({ deleted_at: now });
  return count === 1;
}

/** The enabled trusts of an active organization for this issuer, oldest first. */
export async function listCandidates(db: Db, orgId: string, issuer: string, now: Date): Promise<TrustCandidate[]> {
  return db('federation_trusts as t')
    .join('orgs as o', 'o.id', 't.org_id')
    .join('users as u', 'u.id', 't.created_by')
    .leftJoin('memberships as m', (same) => same.on('m.org_id', 't.org_id').andOn('m.user_id', 't.created_by'))
    .where({ 't.org_id': orgId, 't.issuer': issuer, 't.enabled': true })
    .whereNull('t.deleted_at')
    .whereNull('o.deleted_at')
    .orderBy(['t.created_at', 't.id'])
    .select('t.id', 't.name', 't.conditions', 't.scopes', 't.ttl_seconds', 't.created_by')
    .select(
      db.raw(
        '(u.deleted_at is null and m.id is not null and (m.expires_at is null or m.expires_at > ?)) as owner_is_live',
        [now],
      ),
    );
}

/** Records a use, and locks the row until the transaction ends. @returns false if the trust can no longer be used */
export async function useTrust(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  const count = await db('federation_trusts')
    .where({ org_id: orgId, id, enabled: true })
    .whereNull('deleted_at')
    .update({ last_used_at: now });
  return count === 1;
}

/** When the nth newest exchange of the trust after `since` was made; undefined if there were fewer. */
export async function findNthExchange(
  db: Db,
  orgId: string,
  trustId: string,
  range: NthNewest,
): Promise<Date | undefined> {
  return findNthNewest(db('federation_exchanges').where({ org_id: orgId, trust_id: trustId }), range, 'exchanged_at');
}

export interface NewExchange {
  trust_id: string;
  issuer: string;
  jti: string;
  subject: string;
  key_id: string;
  exchanged_at: Date;
  expires_at: Date;
}

/** @returns false if the token was already exchanged, in any organization; waits for a concurrent exchange */
export async function insertExchange(db: Db, orgId: string, exchange: NewExchange): Promise<boolean> {
  const rows = await db('federation_exchanges')
    .insert({ id: newId(), org_id: orgId, ...exchange })
    .onConflict(['issuer', 'jti'])
    .ignore()
    .returning('id');
  return rows.length === 1;
}

/** @returns the number of deleted rows; at most `limit` */
export async function deleteExchanges(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('federation_exchanges').where('exchanged_at', '<', before).orderBy('exchanged_at').limit(limit);
  return db('federation_exchanges').whereIn('id', old.select('id')).delete();
}
