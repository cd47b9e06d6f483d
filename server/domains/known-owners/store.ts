import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import { newId } from '../../lib/ids.ts';
import type { KnownOwner, OwnerFilter } from './types.ts';

const COLUMNS = [
  'o.id',
  'o.owner',
  'o.kind',
  'o.status',
  'o.source',
  'o.note',
  'o.first_seen_at',
  'o.last_seen_at',
  'o.plans_seen',
  'o.created_at',
  'o.updated_at',
  'u.email as decided_by',
] as const;

/** One page, newest first, and the total. */
export async function listOwners(
  db: Db,
  orgId: string,
  filter: OwnerFilter,
  page: { limit: number; offset: number },
): Promise<{ owners: KnownOwner[]; total: number }> {
  const matching = selected(db, orgId);
  for (const column of ['status', 'kind'] as const)
    if (filter[column] !== undefined) matching.where(`o.${column}`, filter[column]);
  const [owners, total] = await Promise.all([
    takeNewest(matching, page, 'o').select(...COLUMNS) as Promise<KnownOwner[]>,
    countRows(matching),
  ]);
  return { owners, total };
}

export async function findOwner(
  db: Db,
  orgId: string,
  key: { id: string } | { owner: string },
): Promise<KnownOwner | undefined> {
  const [column, value] = 'id' in key ? ['o.id', key.id] : ['o.owner', key.owner];
  const [row] = await selected(db, orgId)
    .where(column, value)
    .select(...COLUMNS);
  return row;
}

/** The confirmed owners for an analysis, oldest first. */
export async function listConfirmed(db: Db, orgId: string): Promise<string[]> {
  return db('known_owners').where({ org_id: orgId, status: 'confirmed' }).orderBy(['created_at', 'id']).pluck('owner');
}

/** Only confirmed owners count toward the limit. */
export async function countConfirmed(db: Db, orgId: string): Promise<number> {
  return countRows(db('known_owners').where({ org_id: orgId, status: 'confirmed' }));
}

/**
 * @param decided_by id of a user
 * @returns the id; undefined if the owner was listed in the meantime
 */
export async function insertOwner(db: Db, orgId: string, owner: Omit<KnownOwner, 'id'>): Promise<string | undefined> {
  const [row] = await db('known_owners')
    .insert({ id: newId(), org_id: orgId, ...owner })
    .onConflict(['org_id', 'owner'])
    .ignore()
    .returning('id');
  return row?.id;
}

/** @param changes `decided_by` is the id of a user */
export async function updateOwner(
  db: Db,
  orgId: string,
  id: string,
  changes: Partial<Pick<KnownOwner, 'status' | 'note' | 'decided_by'>> & { updated_at: Date },
): Promise<void> {
  await db('known_owners').where({ org_id: orgId, id }).update(changes);
}

/** @returns the deleted owner; undefined if there was none */
export async function deleteOwner(
  db: Db,
  orgId: string,
  id: string,
): Promise<Pick<KnownOwner, 'owner' | 'status'> | undefined> {
  const [row] = await db('known_owners').where({ org_id: orgId, id }).delete().returning(['owner', 'status']);
  return row;
}

function selected(db: Db, orgId: string) {
  return db('known_owners as o').leftJoin('users as u', 'u.id', 'o.decided_by').where('o.org_id', orgId);
}
