import type { Db } from '../../db/index.ts';
import { countRows, readPage, takeNewest } from '../../db/paging.ts';
import type { LimitName, Overrides, Plan } from '../entitlements/index.ts';
import type { Org, OrgInput, OrgSettings, OrgWithCount, OrgWithRole, Page } from './types.ts';

const ORG_COLUMNS = ['o.id', 'o.slug', 'o.display_name', 'o.plan', 'o.created_at'] as const;

/** The new organization; undefined if the slug is taken. */
export async function insertOrg(
  db: Db,
  orgId: string,
  org: OrgInput & { noise_key_ct: Buffer; created_at: Date },
): Promise<Org | undefined> {
  const [row] = await db('orgs')
    .insert({ id: orgId, ...org, plan: 'free' })
    .onConflict('slug')
    .ignore()
    .returning(['id', 'slug', 'display_name', 'plan', 'created_at']);
  return row as Org | undefined;
}

export async function findOrg(db: Db, orgId: string): Promise<Org | undefined> {
  return db('orgs as o').where('o.id', orgId).whereNull('o.deleted_at').first(ORG_COLUMNS);
}

export async function setDisplayName(db: Db, orgId: string, display_name: string): Promise<void> {
  await db('orgs').where({ id: orgId }).update({ display_name });
}

export async function setPlan(db: Db, orgId: string, plan: Plan): Promise<void> {
  await db('orgs').where({ id: orgId }).update({ plan });
}

/** Whether the organization pays for each seat above those of its plan. */
export async function getSeatOverage(db: Db, orgId: string): Promise<boolean> {
  const row = await db('orgs').where({ id: orgId }).first('seat_overage');
  return row?.seat_overage ?? false;
}

export async function setSeatOverage(db: Db, orgId: string, seat_overage: boolean): Promise<void> {
  await db('orgs').where({ id: orgId }).update({ seat_overage });
}

/** The stored settings; all others have defaults. */
export async function getChosenSettings(db: Db, orgId: string): Promise<Partial<OrgSettings>> {
  const row = await db('orgs').where({ id: orgId }).first('settings');
  return row?.settings ?? {};
}

export async function setChosenSettings(db: Db, orgId: string, settings: Partial<OrgSettings>): Promise<void> {
  await db('orgs')
    .where({ id: orgId })
    .update({ settings: JSON.stringify(settings) });
}

export async function getSealedNoiseKey(db: Db, orgId: string): Promise<Buffer> {
  const row = await db('orgs').where({ id: orgId }).first('noise_key_ct');
  return row.noise_key_ct;
}

/** One page of the organizations in which the user has an active membership, newest first, and the total. */
export async function listOrgs(
  db: Db,
  { user_id, org_id }: { user_id: string; org_id?: string | undefined },
  page: Page & { now: Date },
): Promise<{ orgs: OrgWithRole[]; total: number }> {
  const mine = db('memberships as m')
    .join('orgs as o', 'o.id', 'm.org_id')
    .where('m.user_id', user_id)
    .whereNull('o.deleted_at')
    .whereRaw('(m.expires_at is null or m.expires_at > ?)', [page.now]);
  if (org_id !== undefined) mine.where('m.org_id', org_id);
  const [orgs, total] = await Promise.all([
    takeNewest(mine, page, 'o').select(...ORG_COLUMNS, 'm.role'),
    countRows(mine),
  ]);
  return { orgs: orgs as OrgWithRole[], total };
}

/**
 * One page of all organizations, newest first, and the total.
 *
 * @param page.q prefix of the slug or the name, ignoring case
 */
export async function listAllOrgs(
  db: Db,
  page: Page & { q?: string | undefined; now: Date },
): Promise<{ orgs: OrgWithCount[]; total: number }> {
  const matching = db('orgs').whereNull('orgs.deleted_at');
  if (page.q !== undefined) {
    const prefix = `${page.q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    matching.whereRaw('(orgs.slug like ? or lower(orgs.display_name) like ?)', [prefix, prefix]);
  }
  const { rows, total } = await readPage<Org>(db, {
    matching,
    table: 'orgs',
    order: ['created_at', 'id'],
    columns: ['id', 'slug', 'display_name', 'plan', 'created_at'],
    page,
    countTotal: () => (page.q === undefined ? getTotal(db) : countRows(matching)),
  });
  const counts = await countMembers(
    db,
    rows.map(({ id }) => id),
    page.now,
  );
  return { orgs: rows.map((org) => ({ ...org, member_count: counts.get(org.id) ?? 0 })), total };
}

/** The plan of an organization, and its override of one limit. */
export async function findLimit(
  db: Db,
  orgId: string,
  name: LimitName,
): Promise<{ plan: Plan; value: number | null } | undefined> {
  return db('orgs as o')
    .leftJoin('org_limits as l', (on) => on.on('l.org_id', 'o.id').andOnVal('l.name', name))
    .where('o.id', orgId)
    .whereNull('o.deleted_at')
    .first('o.plan', 'l.value');
}

/** Limit overrides of this organization. */
export async function listOverrides(db: Db, orgId: string): Promise<Overrides> {
  const rows: { name: LimitName; value: number }[] = await db('org_limits')
    .where({ org_id: orgId })
    .select('name', 'value');
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function setOverride(db: Db, orgId: string, name: LimitName, value: number | null): Promise<void> {
  if (value === null) await db('org_limits').where({ org_id: orgId, name }).delete();
  else await db('org_limits').insert({ org_id: orgId, name, value }).onConflict(['org_id', 'name']).merge(['value']);
}

/** Number of active memberships of existing users, for each of these organizations that has any. */
async function countMembers(db: Db, orgIds: string[], now: Date): Promise<Map<string, number>> {
  const rows: { org_id: string; count: string }[] = await db('memberships as m')
    .join('users as u', 'u.id', 'm.user_id')
    .whereIn('m.org_id', orgIds)
    .whereNull('u.deleted_at')
    .whereRaw('(m.expires_at is null or m.expires_at > ?)', [now])
    .groupBy('m.org_id')
    .select('m.org_id', db.raw('count(*) as count'));
  return new Map(rows.map((row) => [row.org_id, Number(row.count)]));
}

async function getTotal(db: Db): Promise<number> {
  const row = await db('platform_totals').where({ list: 'orgs' }).first('total');
  return Number(row?.total ?? 0);
}
