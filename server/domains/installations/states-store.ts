import type { Db } from '../../db/index.ts';
import type { StatePurpose } from './state.ts';
import type { ManagedInstallation } from './types.ts';

interface StateRow {
  nonce_hash: Buffer;
  user_id: string;
  created_at: Date;
  expires_at: Date;
  /** Only of `chat_confirm`: it works only in this browser. */
  browser_hash?: Buffer;
}

/** Identifies a state. */
type StateKey = Pick<StateRow, 'nonce_hash' | 'user_id' | 'browser_hash'>;
/** States without data of the other side. */
type BarePurpose = Exclude<StatePurpose, 'scm_confirm'>;

export async function insertState(db: Db, orgId: string, purpose: BarePurpose, state: StateRow): Promise<void> {
  await db('oauth_states').insert({ org_id: orgId, purpose, ...state });
}

/**
 * Uses up a state. @returns false if it was used, has expired, or was not issued to this person for this organization
 */
export async function useState(
  db: Db,
  orgId: string,
  purpose: BarePurpose,
  key: StateKey,
  now: Date,
): Promise<boolean> {
  return (
    (await issued(db, orgId, now)
      .where({ purpose, ...key })
      .update({ status: 'used' })) > 0
  );
}

/** Stores a confirmation for the browser with this secret only. */
export async function insertConfirmation(
  db: Db,
  orgId: string,
  { login, installation, ...state }: StateRow & ManagedInstallation & { browser_hash: Buffer },
): Promise<void> {
  const content = { account_login: login, installation: JSON.stringify(installation) };
  await db('oauth_states').insert({ org_id: orgId, purpose: 'scm_confirm', ...state, ...content });
}

/** Uses up a confirmation. @returns undefined if it was used, has expired, or belongs to another browser */
export async function useConfirmation(
  db: Db,
  orgId: string,
  key: StateKey & { browser_hash: Buffer },
  now: Date,
): Promise<ManagedInstallation | undefined> {
  const [row] = await issued(db, orgId, now)
    .where({ purpose: 'scm_confirm', ...key })
    .update({ status: 'used' })
    .returning(['account_login', 'installation']);
  return row && { login: row.account_login, installation: row.installation };
}

function issued(db: Db, orgId: string, now: Date) {
  return db('oauth_states').where({ org_id: orgId, status: 'issued' }).where('expires_at', '>', now);
}

/** @returns the number of deleted rows; at most `limit` */
export async function deleteExpired(db: Db, now: Date, limit: number): Promise<number> {
  const over = db('oauth_states').where('expires_at', '<=', now).limit(limit).select('nonce_hash');
  return db('oauth_states').whereIn('nonce_hash', over).delete();
}
