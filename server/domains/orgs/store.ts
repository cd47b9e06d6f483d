import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { Role } from '../../lib/principal.ts';
import type { Org, OrgInput, OrgWithRole } from './types.ts';

const ORG_COLUMNS = ['o.id', 'o.slug', 'o.display_name', 'o.plan', 'o.created_at'] as const;

/** The new org, or undefined when the slug is taken. */
export async function insertOrg(
  db: Db,
  orgId: string,
  org: OrgInput & { noise_key_ct: Buffer },
): Promise<Org | undefined> {
  const [row] = await db('orgs')
    .insert({ id: orgId, ...org, plan: 'free' })
    .onConflict('slug')
    .ignore()
    .returning(['id', 'slug', 'display_name', 'plan', 'created_at']);
  return row as Org | undefined;
}

export async function insertOwner(db: Db, orgId: string, userId: string, now: Date): Promise<void> {
  await db('memberships').insert({ id: newId(), org_id: orgId, user_id: userId, role: 'owner', accepted_at: now });
}

export async function findOrg(db: Db, orgId: string): Promise<Org | undefined> {
  return db('orgs as o').where('o.id', orgId).whereNull('o.deleted_at').first(ORG_COLUMNS);
}

/** The role of a user in an org, if the membership is live. */
export async function findRole(db: Db, orgId: string, userId: string, now: Date): Promise<Role | undefined> {
  const row = await liveMemberships(db, userId, now).where('m.org_id', orgId).first('m.role');
  return row?.role;
}

/** One page of the user's orgs, by slug, and how many there are. */
export async function listOrgs(
  db: Db,
  userId: string,
  page: { limit: number; offset: number; now: Date },
): Promise<{ orgs: OrgWithRole[]; total: number }> {
  const mine = liveMemberships(db, userId, page.now);
  const [orgs, counted] = await Promise.all([
    mine
      .clone()
      .orderBy('o.slug')
      .limit(page.limit)
      .offset(page.offset)
      .select(...ORG_COLUMNS, 'm.role'),
    mine.clone().count<{ count: string }[]>('* as count'),
  ]);
  return { orgs: orgs as OrgWithRole[], total: Number(counted[0]?.count ?? 0) };
}

export async function getSealedNoiseKey(db: Db, orgId: string): Promise<Buffer> {
  const row = await db('orgs').where({ id: orgId }).first('noise_key_ct');
  return row.noise_key_ct;
}

function liveMemberships(db: Db, userId: string, now: Date) {
  return db('memberships as m')
    .join('orgs as o', 'o.id', 'm.org_id')
    .where('m.user_id', userId)
    .whereNull('o.deleted_at')
    .where((live) => live.whereNull('m.expires_at').orWhere('m.expires_at', '>', now));
}
