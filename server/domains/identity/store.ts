import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { Login, StoredUser, UserMembership } from './types.ts';

const USER_COLUMNS = [
  'id',
  'email',
  'display_name',
  'created_at',
  'is_platform_admin',
  'last_login_at',
  'deleted_at',
] as const;

/** Users belong to no org: they are found by the identity provider's (issuer, subject). */
export async function findUserByLogin(db: Db, login: Login): Promise<StoredUser | undefined> {
  return db('users').where({ issuer: login.issuer, subject: login.subject }).first(USER_COLUMNS);
}

/**
 * The user of this login, made or refreshed; undefined when another live user already has the email.
 * One statement, so that two first logins at once end in one row.
 */
export async function upsertUser(db: Db, login: Login, now: Date): Promise<StoredUser | undefined> {
  try {
    const [user] = await db('users')
      .insert({
        id: newId(),
        issuer: login.issuer,
        subject: login.subject,
        email: login.email,
        display_name: login.display_name,
        last_login_at: now,
      })
      .onConflict(['issuer', 'subject'])
      .merge(['email', 'display_name', 'last_login_at'])
      .returning(USER_COLUMNS);
    return user as StoredUser;
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}

export async function getUserCreatedAt(db: Db, userId: string): Promise<Date> {
  const row = await db('users').where({ id: userId }).first('created_at');
  return row.created_at;
}

/** The live memberships of a user, by org slug; at most 500. */
export async function listMemberships(db: Db, userId: string, now: Date): Promise<UserMembership[]> {
  return db('memberships as m')
    .join('orgs as o', 'o.id', 'm.org_id')
    .where('m.user_id', userId)
    .whereNull('o.deleted_at')
    .where((live) => live.whereNull('m.expires_at').orWhere('m.expires_at', '>', now))
    .orderBy('o.slug')
    .limit(500)
    .select('m.id', 'm.org_id', 'o.slug as org_slug', 'm.role', 'm.accepted_at');
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
