import type { Db } from '../../db/index.ts';
import { countRows, newestFirst } from '../../db/paging.ts';
import { describeRescan, type RescanFacts } from './rescan.ts';
import type { Glob, GlobPlace, Severity } from './types.ts';

const COLUMNS = [
  'g.id',
  'g.org_id',
  'g.cloud_account_id',
  'g.provider',
  'g.bucket',
  'g.prefix',
  'g.region',
  'g.storage_account',
  'g.display_name',
  'g.created_at',
  'g.last_rescan_at',
  'g.last_rescan_severity',
  'g.last_rescan_failure',
  'g.last_rescan_truncated',
  'g.last_rescan_missing',
] as const;

const CHILD_COUNT = `(select count(*)::int from state_sources s
  where s.org_id = g.org_id and s.parent_glob_id = g.id and s.deleted_at is null) as child_count`;

/** All globs, newest first. */
export async function listGlobs(db: Db, orgId: string): Promise<Glob[]> {
  const rows: GlobRow[] = await selectLive(db, orgId)
    .orderBy(newestFirst('g'))
    .select(...COLUMNS, db.raw(CHILD_COUNT));
  return rows.map(toGlob);
}

export async function findGlob(db: Db, orgId: string, id: string): Promise<Glob | undefined> {
  const row: GlobRow | undefined = await selectLive(db, orgId)
    .where('g.id', id)
    .first(...COLUMNS, db.raw(CHILD_COUNT));
  return row && toGlob(row);
}

type GlobRow = Omit<Glob, 'last_rescan_error'> & {
  last_rescan_failure: string | null;
  last_rescan_truncated: boolean;
  last_rescan_missing: number;
};

function toGlob({ last_rescan_failure: failure, last_rescan_truncated, last_rescan_missing, ...glob }: GlobRow): Glob {
  const facts = { failure, truncated: last_rescan_truncated, missing: last_rescan_missing };
  return { ...glob, last_rescan_error: describeRescan(facts) };
}

export async function countGlobs(db: Db, orgId: string): Promise<number> {
  return countRows(selectLive(db, orgId));
}

/** Whether a glob for this place exists. */
export async function isPlaceTaken(db: Db, orgId: string, place: GlobPlace): Promise<boolean> {
  const { provider, bucket, prefix, storage_account } = place;
  const row = await selectLive(db, orgId).where({ provider, bucket, prefix, storage_account }).first('g.id');
  return row !== undefined;
}

export type NewGlob = GlobPlace & Pick<Glob, 'id' | 'cloud_account_id' | 'display_name' | 'created_at'>;

export async function insertGlob(db: Db, orgId: string, glob: NewGlob): Promise<void> {
  await db('state_source_globs').insert({ org_id: orgId, ...glob });
}

/** Locks a glob until the transaction ends, so that it is not deleted meanwhile. @returns false if there is none */
export async function lockGlob(db: Db, orgId: string, id: string): Promise<boolean> {
  return (await selectLive(db, orgId).where('g.id', id).forUpdate().first('g.id')) !== undefined;
}

/** @returns whether it existed */
export async function deleteGlob(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  const deleted = await db('state_source_globs')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .update({ deleted_at: now });
  return deleted === 1;
}

/** Proves that this process rescans a glob. */
export interface RescanClaim {
  org_id: string;
  id: string;
  token: string;
}

/** Claims an existing glob that nobody rescans, or whose process died. */
export async function claimRescan(
  db: Db,
  { org_id, id, token }: RescanClaim,
  now: Date,
  until: Date,
): Promise<(GlobPlace & Pick<Glob, 'cloud_account_id'>) | undefined> {
  const [row] = await db('state_source_globs')
    .where({ org_id, id })
    .whereNull('deleted_at')
    .where((free) => free.whereNull('claim').orWhere('claim_until', '<=', now))
    .update({ claim: token, claim_until: until })
    .returning(['cloud_account_id', 'provider', 'bucket', 'prefix', 'region', 'storage_account']);
  return row;
}

/** What a listing found, as keyed hashes of its locations. */
export interface Listed {
  kind: string;
  location_keys: readonly Buffer[];
  /** Only the first ones are registered. */
  considered: number;
  truncated: boolean;
  /** The listing has all states below the prefix. */
  is_complete: boolean;
}

/**
 * Compares a listing with the registered sources and, if it has nothing new, ends the rescan: all in one statement.
 *
 * @returns places of the new locations in the listing, how many sources of the glob it does not contain, and whether
 *   the rescan has ended
 */
export async function compareListing(
  db: Db,
  { org_id, id, token }: RescanClaim,
  listed: Listed,
  at: Date,
): Promise<{ new_places: number[]; missing: number; is_finished: boolean }> {
  const { rows } = await db.raw(
    `with listed as materialized (
       select location_key, place from unnest(cast(:location_keys as bytea[])) with ordinality as l (location_key, place)
     ), known as materialized (
       select location_key, parent_glob_id from state_sources
       where org_id = :org_id and kind = :kind and deleted_at is null
     ), compared as materialized (
       select
         array(select place::int - 1 from listed where place <= :considered
           and location_key not in (select location_key from known) order by place) as new_places,
         (select count(*)::int from known where parent_glob_id = :id and :is_complete
           and location_key not in (select location_key from listed)) as missing
     ), finished as (
       update state_source_globs set
         last_rescan_at = :at, last_rescan_failure = null, last_rescan_truncated = :truncated,
         last_rescan_missing = missing, claim = null, claim_until = null,
         last_rescan_severity = case when :truncated or missing > 0 then 'warning' else 'info' end
       from compared
       where org_id = :org_id and id = :id and claim = :token and deleted_at is null and cardinality(new_places) = 0
       returning id
     )
     select new_places, missing, exists (select from finished) as is_finished from compared`,
    { org_id, id, token, ...listed, at },
  );
  return rows[0];
}

/** @returns false if another process has taken over, or the glob was deleted */
export async function finishRescan(
  db: Db,
  { org_id, id, token }: RescanClaim,
  { at, severity, failure, truncated, missing }: RescanFacts & { at: Date; severity: Severity },
): Promise<boolean> {
  const finished = await db('state_source_globs').where({ org_id, id, claim: token }).whereNull('deleted_at').update({
    last_rescan_at: at,
    last_rescan_severity: severity,
    last_rescan_failure: failure,
    last_rescan_truncated: truncated,
    last_rescan_missing: missing,
    claim: null,
    claim_until: null,
  });
  return finished === 1;
}

function selectLive(db: Db, orgId: string) {
  return db('state_source_globs as g').where('g.org_id', orgId).whereNull('g.deleted_at');
}
