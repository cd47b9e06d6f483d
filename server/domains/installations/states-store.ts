import type { Db } from '../../db/index.ts';
import type { Linker } from './types.ts';

const SCM = { purpose: 'scm' };

export async function insertState(
  db: Db,
  orgId: string,
  state: { nonce_hash: Buffer; user_id: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await db('oauth_states').insert({ org_id: orgId, ...SCM, ...state });
}

/** Uses a state up. @returns false when it was used, is over, or was never issued to this person for this org */
export async function useState(
  db: Db,
  orgId: string,
  { nonce_hash, user_id }: { nonce_hash: Buffer; user_id: string },
  now: Date,
): Promise<boolean> {
  const used = await db('oauth_states')
    .where({ org_id: orgId, ...SCM, nonce_hash, user_id, status: 'issued' })
    .where('expires_at', '>', now)
    .update({ status: 'used' });
  return used > 0;
}

/** Has a used state wait until an installation comes that this login has asked for. */
export async function awaitApproval(
  db: Db,
  orgId: string,
  nonce_hash: Buffer,
  { account_login, expires_at }: { account_login: string; expires_at: Date },
): Promise<void> {
  await db('oauth_states')
    .where({ org_id: orgId, ...SCM, nonce_hash })
    .update({ status: 'pending', account_login, expires_at });
}

/** Who waits last for an installation that one of these logins asked for, whatever the org. */
export async function findWaiting(
  db: Db,
  logins: readonly string[],
  now: Date,
): Promise<(Linker & { nonce_hash: Buffer }) | undefined> {
  return db('oauth_states')
    .where({ ...SCM, status: 'pending' })
    .whereRaw('lower(account_login) = any(?)', [logins.map((login) => login.toLowerCase())])
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .first('org_id', 'user_id', 'nonce_hash');
}

/** @returns false when it waits no more */
export async function stopWaiting(db: Db, orgId: string, nonce_hash: Buffer): Promise<boolean> {
  const stopped = await db('oauth_states')
    .where({ org_id: orgId, ...SCM, nonce_hash, status: 'pending' })
    .update({ status: 'used' });
  return stopped > 0;
}

/** @returns how many went; at most `limit` */
export async function deleteExpired(db: Db, now: Date, limit: number): Promise<number> {
  const over = db('oauth_states').where('expires_at', '<=', now).limit(limit).select('nonce_hash');
  return db('oauth_states').whereIn('nonce_hash', over).delete();
}
