import type { Db } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { SourceFilter, StoredSource } from './types.ts';

const COLUMNS = [
  'id',
  'org_id',
  'cloud_account_id',
  'kind',
  'display_name',
  'config_ct',
  'workspaces',
  'parent_glob_id',
  'latest_snapshot_id',
  'last_fetched_at',
  'last_fetch_error',
  'missing_since',
  'created_at',
] as const;

/** What a deleted source leaves: no location, no token, no snapshot. */
const ERASED = { config_ct: Buffer.alloc(0), latest_snapshot_id: null, claim: null, claim_until: null };

export type NewSource = Pick<
  StoredSource,
  'id' | 'cloud_account_id' | 'kind' | 'display_name' | 'config_ct' | 'parent_glob_id' | 'created_at'
> & { location_key: Buffer };

/** One page by name, and the total. */
export async function listSources(
  db: Db,
  orgId: string,
  filter: SourceFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ sources: StoredSource[]; total: number }> {
  const matching = selectLive(db, orgId);
  for (const column of ['kind', 'parent_glob_id'] as const)
    if (filter[column] !== undefined) matching.where(column, filter[column]);
  const page = matching.clone().orderByRaw('display_name collate "C", id').limit(limit).offset(offset);
  const [sources, total] = await Promise.all([
    page.select(...COLUMNS) as unknown as Promise<StoredSource[]>,
    countRows(matching),
  ]);
  return { sources, total };
}

export interface AccountSources {
  account_id: string;
  missing_after: Date;
}

/** Sources of an account and sources without one, by name, without those whose state has been missing for too long. */
export async function listOfAccount(db: Db, orgId: string, account: AccountSources): Promise<StoredSource[]> {
  return selectOfAccount(db, orgId, account)
    .orderByRaw('display_name collate "C", id')
    .select(...COLUMNS);
}

/** Whether `listOfAccount` has any. */
export async function isDeclared(db: Db, orgId: string, account: AccountSources): Promise<boolean> {
  return (await selectOfAccount(db, orgId, account).first('id')) !== undefined;
}

function selectOfAccount(db: Db, orgId: string, { account_id, missing_after }: AccountSources) {
  return selectLive(db, orgId)
    .where((either) => either.where({ cloud_account_id: account_id }).orWhereNull('cloud_account_id'))
    .where((present) => present.whereNull('missing_since').orWhere('missing_since', '>', missing_after));
}

export async function findSource(db: Db, orgId: string, id: string): Promise<StoredSource | undefined> {
  return selectLive(db, orgId)
    .where({ id })
    .first(...COLUMNS);
}

/** Sources of globs count as well. */
export async function countSources(db: Db, orgId: string): Promise<number> {
  return countRows(selectLive(db, orgId));
}

/** @returns false if the location is already registered */
export async function insertSource(db: Db, orgId: string, source: NewSource): Promise<boolean> {
  return (await insertSources(db, orgId, [source])) === 1;
}

/** Inserts the sources whose location is not registered yet, with a single statement. @returns how many */
export async function insertSources(db: Db, orgId: string, sources: readonly NewSource[]): Promise<number> {
  if (sources.length === 0) return 0;
  const inserted: unknown[] = await db('state_sources')
    .insert(sources.map((source) => ({ org_id: orgId, ...source })))
    .onConflict(db.raw('(org_id, kind, location_key) where deleted_at is null'))
    .ignore()
    .returning('id');
  return inserted.length;
}

/** Which of these locations are registered; as hex. */
export async function findRegistered(db: Db, orgId: string, location_keys: readonly Buffer[]): Promise<Set<string>> {
  const found: Buffer[] = await selectLive(db, orgId)
    .whereRaw('location_key = any(cast(:location_keys as bytea[]))', { location_keys: [...location_keys] })
    .pluck('location_key');
  return new Set(found.map((key) => key.toString('hex')));
}

/** @returns whether it existed */
export async function deleteSource(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  return (
    (await selectLive(db, orgId)
      .where({ id })
      .update({ ...ERASED, deleted_at: now })) === 1
  );
}

/** Deletes the sources that a glob registered. @returns how many */
export async function deleteChildren(db: Db, orgId: string, parent_glob_id: string, now: Date): Promise<number> {
  return selectLive(db, orgId)
    .where({ parent_glob_id })
    .update({ ...ERASED, deleted_at: now });
}

export async function listChildIds(db: Db, orgId: string, parent_glob_id: string): Promise<string[]> {
  return selectLive(db, orgId).where({ parent_glob_id }).orderBy('id').pluck('id');
}

function selectLive(db: Db, orgId: string) {
  return db('state_sources').where({ org_id: orgId }).whereNull('deleted_at');
}
