import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import { newId } from '../../lib/ids.ts';
import type { KeyKind } from '../../lib/principal.ts';
import type { ApiKey, KeyFilter, NewKey } from './types.ts';

const LISTED_COLUMNS = [
  'k.id',
  'k.name',
  'k.key_prefix',
  'k.scopes',
  'k.kind',
  'k.user_id',
  'owner.email as owner_email',
  'k.created_at',
  'k.last_used_at',
  'k.expires_at',
  'k.revoked_by as revoker_id',
  'revoker.email as revoker_email',
] as const;

/**
 * When a key was revoked or its owner was deleted. An integration acts for its organization, so its key outlives the
 * person who linked it.
 */
const ENDED_AT = `coalesce(k.revoked_at, case when k.kind <> 'integration' then owner.deleted_at end)`;

/** @returns the id */
export async function insertKey(db: Db, orgId: string, key: NewKey): Promise<string> {
  const id = newId();
  await db('api_keys').insert({ id, org_id: orgId, ...key });
  return id;
}

/** Keys that count in the plan: not revoked, not expired, and not created by a token exchange. */
export async function countLiveKeys(db: Db, orgId: string, now: Date): Promise<number> {
  return countRows(
    owned(db, orgId)
      .whereRaw(`${ENDED_AT} is null`)
      .whereNot('k.kind', 'ephemeral')
      .where((live) => live.whereNull('k.expires_at').orWhere('k.expires_at', '>', now)),
  );
}

/** One page, newest first, and the total. */
export async function listKeys(
  db: Db,
  orgId: string,
  filter: KeyFilter,
  page: { limit: number; offset: number },
): Promise<{ api_keys: ApiKey[]; total: number }> {
  const matching = owned(db, orgId);
  if (!filter.include_ephemeral) matching.whereNot('k.kind', 'ephemeral');
  if (!filter.include_revoked) matching.whereRaw(`${ENDED_AT} is null`);
  const rows: KeyRow[] = await takeNewest(matching, page, 'k')
    .leftJoin('users as revoker', 'revoker.id', 'k.revoked_by')
    .select(...LISTED_COLUMNS, db.raw(`${ENDED_AT} as revoked_at`));
  return { api_keys: rows.map(apiKey), total: await countRows(matching) };
}

function owned(db: Db, orgId: string) {
  return db('api_keys as k').join('users as owner', 'owner.id', 'k.user_id').where('k.org_id', orgId);
}

/** Revokes an active key; undefined if there is no such key or it was already revoked. */
export async function revokeKey(
  db: Db,
  orgId: string,
  id: string,
  by: { user_id: string | null; at: Date },
): Promise<{ key_prefix: string } | undefined> {
  const [revoked] = await db('api_keys')
    .where({ org_id: orgId, id })
    .whereIn('id', owned(db, orgId).where('k.id', id).whereRaw(`${ENDED_AT} is null`).select('k.id'))
    .whereNull('revoked_at')
    .update({ revoked_at: by.at, revoked_by: by.user_id })
    .returning('key_prefix');
  return revoked;
}

/** @returns the ids of the revoked keys of a trust, without those already revoked or expired */
export async function revokeKeysByTrust(
  db: Db,
  orgId: string,
  trustId: string,
  by: { user_id: string; at: Date },
): Promise<string[]> {
  const revoked: { id: string }[] = await db('api_keys')
    .where({ org_id: orgId, trust_id: trustId })
    .whereNull('revoked_at')
    .where('expires_at', '>', by.at)
    .update({ revoked_at: by.at, revoked_by: by.user_id })
    .returning('id');
  return revoked.map(({ id }) => id);
}

export interface PresentedKey {
  id: string;
  kind: KeyKind;
  org_id: string;
  scopes: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  user_id: string;
  email: string;
  display_name: string;
  issuer: string;
}

/**
 * The key with a hash and its owner, in any organization; undefined if the key, its organization or its owner (except
 * for integrations) has ended.
 */
export async function findLiveKey(db: Db, hash: Buffer, now: Date): Promise<PresentedKey | undefined> {
  return db('api_keys as k')
    .join('users as u', 'u.id', 'k.user_id')
    .join('orgs as o', 'o.id', 'k.org_id')
    .where('k.hash', hash)
    .whereNull('k.revoked_at')
    .where((owned) => owned.whereNull('u.deleted_at').orWhere('k.kind', 'integration'))
    .whereNull('o.deleted_at')
    .where((live) => live.whereNull('k.expires_at').orWhere('k.expires_at', '>', now))
    .first(
      'k.id',
      'k.kind',
      'k.org_id',
      'k.scopes',
      'k.expires_at',
      'k.last_used_at',
      'k.user_id',
      'u.email',
      'u.display_name',
      'u.issuer',
    );
}

/** Records a use; skips a row that is locked by a revocation. */
export async function touchKey(db: Db, id: string, now: Date): Promise<void> {
  await db('api_keys')
    .whereIn('id', db('api_keys').where({ id }).forUpdate().skipLocked().select('id'))
    .update({ last_used_at: now });
}

/** @returns the number of deleted rows; at most `limit` */
export async function deleteEndedKeys(
  db: Db,
  before: { ephemeral: Date; revoked: Date },
  limit: number,
): Promise<number> {
  return db('api_keys')
    .whereIn(
      'id',
      db('api_keys')
        .where((old) => old.where({ kind: 'ephemeral' }).where('expires_at', '<', before.ephemeral))
        .orWhere('revoked_at', '<', before.revoked)
        .limit(limit)
        .select('id'),
    )
    .delete();
}

interface KeyRow extends Omit<ApiKey, 'created_by' | 'revoked_by'> {
  user_id: string;
  owner_email: string;
  revoker_id: string | null;
  revoker_email: string | null;
}

function apiKey({ user_id, owner_email, revoker_id, revoker_email, ...key }: KeyRow): ApiKey {
  return {
    ...key,
    created_by: { id: user_id, email: owner_email },
    revoked_by: revoker_id === null ? null : { id: revoker_id, email: revoker_email ?? '' },
  };
}
