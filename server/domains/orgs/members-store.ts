import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import { newId } from '../../lib/ids.ts';
import type { Role } from '../../lib/principal.ts';
import type { Member, Membership, Page, UserMembership } from './types.ts';

const COLUMNS = [
  'm.id',
  'm.org_id',
  'm.user_id',
  'm.role',
  'm.invited_by',
  'm.accepted_at',
  'm.expires_at',
  'm.last_active_at',
  'm.created_at',
  'm.updated_at',
] as const;
const LIVE = '(m.expires_at is null or m.expires_at > ?)';

/** A new membership, which replaces an expired one of the same user. */
export async function insertMember(
  db: Db,
  orgId: string,
  member: { user_id: string; role: Role; invited_by: string | null; now: Date },
): Promise<Membership> {
  const { user_id, role, invited_by, now } = member;
  await db('memberships').where({ org_id: orgId, user_id }).where('expires_at', '<=', now).delete();
  const [row] = await db('memberships')
    .insert({
      id: newId(),
      org_id: orgId,
      user_id,
      role,
      invited_by,
      accepted_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning(COLUMNS.map((column) => column.slice(2)));
  return row as Membership;
}

/** A membership of a user who was not deleted, active or expired. */
export async function findMember(db: Db, orgId: string, id: string): Promise<Member | undefined> {
  return members(db, orgId)
    .where('m.id', id)
    .first(...COLUMNS, 'u.email', 'u.display_name');
}

/** The active membership of a user. */
export async function findLiveMember(
  db: Db,
  orgId: string,
  who: { user_id: string } | { email: string },
  now: Date,
): Promise<Member | undefined> {
  const query = members(db, orgId).whereRaw(LIVE, [now]);
  if ('email' in who) query.where('u.email', who.email);
  else query.where('m.user_id', who.user_id);
  return query.first(...COLUMNS, 'u.email', 'u.display_name');
}

/** The role of a user's active membership, and its expiration. */
export async function findAccess(
  db: Db,
  orgId: string,
  userId: string,
  now: Date,
): Promise<Pick<Membership, 'id' | 'role' | 'expires_at' | 'last_active_at'> | undefined> {
  return members(db, orgId)
    .join('orgs as o', 'o.id', 'm.org_id')
    .whereNull('o.deleted_at')
    .where('m.user_id', userId)
    .whereRaw(LIVE, [now])
    .first('m.id', 'm.role', 'm.expires_at', 'm.last_active_at');
}

/** One page of the memberships, newest first, and the total. */
export async function listMembers(db: Db, orgId: string, page: Page): Promise<{ members: Member[]; total: number }> {
  const matching = members(db, orgId);
  const [rows, total] = await Promise.all([
    takeNewest(matching, page, 'm').select(...COLUMNS, 'u.email', 'u.display_name'),
    countRows(matching),
  ]);
  return { members: rows as Member[], total };
}

/** Number of active owners other than this membership. */
export async function countOtherOwners(db: Db, orgId: string, id: string, now: Date): Promise<number> {
  return countRows(members(db, orgId).where('m.role', 'owner').whereNot('m.id', id).whereRaw(LIVE, [now]));
}

export async function countLiveMembers(db: Db, orgId: string, now: Date): Promise<number> {
  return countRows(members(db, orgId).whereRaw(LIVE, [now]));
}

export async function setRole(db: Db, orgId: string, id: string, role: Role, now: Date): Promise<void> {
  await db('memberships').where({ org_id: orgId, id }).update({ role, updated_at: now });
}

export async function deleteMember(db: Db, orgId: string, id: string): Promise<void> {
  await db('memberships').where({ org_id: orgId, id }).delete();
}

export async function touchMember(db: Db, orgId: string, id: string, now: Date): Promise<void> {
  await db('memberships').where({ org_id: orgId, id }).update({ last_active_at: now });
}

/** The organization of a membership, across organizations, also of a deleted user. */
export async function findOrgOfMember(db: Db, id: string): Promise<string | undefined> {
  const row = await db('memberships').where({ id }).first('org_id');
  return row?.org_id;
}

/** The active memberships of a user across organizations, by slug. */
export async function listUserMemberships(db: Db, userId: string, now: Date): Promise<UserMembership[]> {
  return db('memberships as m')
    .join('orgs as o', 'o.id', 'm.org_id')
    .where('m.user_id', userId)
    .whereNull('o.deleted_at')
    .whereRaw(LIVE, [now])
    .orderBy('o.slug')
    .select('m.id', 'm.org_id', 'o.slug as org_slug', 'm.role', 'm.accepted_at');
}

export async function isLiveUser(db: Db, userId: string): Promise<boolean> {
  return (await db('users').where({ id: userId }).whereNull('deleted_at').first('id')) !== undefined;
}

function members(db: Db, orgId: string) {
  return db('memberships as m')
    .join('users as u', 'u.id', 'm.user_id')
    .where('m.org_id', orgId)
    .whereNull('u.deleted_at');
}
