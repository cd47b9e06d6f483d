import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import { errorCode } from '../../lib/error-code.ts';
import { newId } from '../../lib/ids.ts';
import type { UserMembership } from '../orgs/index.ts';
import type { Login, StoredUser, User } from './types.ts';

const USER_COLUMNS = ['id', 'email', 'display_name', 'created_at', 'is_platform_admin'] as const;
const STORED_COLUMNS = [...USER_COLUMNS, 'last_login_at', 'deleted_at'] as const;

const UNIQUE_VIOLATION = '23505';
/** The ASCII codes of "adm1"; held while the first admin may be created. */
const FIRST_ADMIN_LOCK = 0x61646d31;
const MOST_MEMBERSHIPS = 1_000;

/** Users belong to no organization: they are identified by the identity provider's (issuer, subject). */
export async function findUserByLogin(db: Db, login: Login): Promise<StoredUser | undefined> {
  return db('users').where({ issuer: login.issuer, subject: login.subject }).first(STORED_COLUMNS);
}

/**
 * Creates or updates the user of this sign-in; undefined if another active user already has the email.
 *
 * Two concurrent first sign-ins of one person may conflict on the email before they conflict on the identity, which ON
 * CONFLICT does not cover. At the second attempt the other row is visible, so only another user's email can conflict
 * twice.
 */
export async function upsertUser(db: Db, login: Login, now: Date): Promise<StoredUser | undefined> {
  return (await tryUpsert(db, login, now)) ?? tryUpsert(db, login, now);
}

async function tryUpsert(db: Db, login: Login, now: Date): Promise<StoredUser | undefined> {
  try {
    const [user] = await db('users')
      .insert({
        id: newId(),
        issuer: login.issuer,
        subject: login.subject,
        email: login.email,
        display_name: login.display_name,
        last_login_at: now,
        created_at: now,
      })
      .onConflict(['issuer', 'subject'])
      .merge(['email', 'display_name', 'last_login_at'])
      .returning(STORED_COLUMNS);
    return user as StoredUser;
  } catch (error) {
    if (errorCode(error) === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}

export async function getUser(db: Db, userId: string): Promise<User> {
  return db('users').where({ id: userId }).first(USER_COLUMNS);
}

/** The active memberships of a user, by organization slug; or only that in one organization. */
export async function listMemberships(
  db: Db,
  userId: string,
  { org_id, now }: { org_id: string | null; now: Date },
): Promise<UserMembership[]> {
  const mine = db('memberships as m')
    .join('orgs as o', 'o.id', 'm.org_id')
    .where('m.user_id', userId)
    .whereNull('o.deleted_at')
    .where((live) => live.whereNull('m.expires_at').orWhere('m.expires_at', '>', now));
  if (org_id !== null) mine.where('m.org_id', org_id);
  return mine
    .orderBy('o.slug')
    .limit(MOST_MEMBERSHIPS)
    .select('m.id', 'm.org_id', 'o.slug as org_slug', 'm.role', 'm.accepted_at');
}

/** Whether there has never been another user. */
export async function isOnlyUser(db: Db, userId: string): Promise<boolean> {
  const ids = await db('users').limit(2).pluck('id');
  return ids.length === 1 && ids[0] === userId;
}

/** Makes the only user ever created a platform admin; true if this call did. */
export async function promoteOnlyUser(db: Db, userId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [FIRST_ADMIN_LOCK]);
    // A separate statement after the lock, so that it sees what was committed during the wait.
    if (!(await isOnlyUser(trx, userId))) return false;
    const promoted = await trx('users')
      .where({ id: userId, is_platform_admin: false, deleted_at: null })
      .update({ is_platform_admin: true });
    return promoted === 1;
  });
}

/**
 * One page of the active users, newest first, and the total.
 *
 * @param page.prefix prefix of the email or the name, in any case
 */
export async function listUsers(
  db: Db,
  page: { prefix: string | null; limit: number; offset: number },
): Promise<{ users: User[]; total: number }> {
  const matching = db('users').whereNull('deleted_at');
  if (page.prefix !== null) {
    const pattern = `${page.prefix.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    matching.where((one) => one.whereLike('email', pattern).orWhereRaw('lower(display_name) like ?', [pattern]));
  }
  const users: User[] = await takeNewest(matching, page).select(USER_COLUMNS);
  return { users, total: page.prefix === null ? await findTotal(db) : await countRows(matching) };
}

async function findTotal(db: Db): Promise<number> {
  const row = await db('platform_totals').where({ list: 'users' }).first('total');
  return Number(row?.total ?? 0);
}

/** Deletes an active user permanently; memberships are not changed. Undefined if there is no such user. */
export async function deleteUser(db: Db, userId: string, now: Date): Promise<{ email: string } | undefined> {
  const [deleted] = await db('users')
    .where({ id: userId })
    .whereNull('deleted_at')
    .update({ deleted_at: now, is_platform_admin: false })
    .returning('email');
  return deleted;
}
