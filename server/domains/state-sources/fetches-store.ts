import type { Db } from '../../db/index.ts';
import type { Snapshot } from './types.ts';

/** Proves that this process fetches a source; null for an upload, which needs no claim. */
export interface FetchClaim {
  org_id: string;
  id: string;
  token: string | null;
}

/** Claims an existing source that nobody fetches, or whose process died. */
export async function claimFetch(db: Db, { org_id, id, token }: FetchClaim, now: Date, until: Date): Promise<boolean> {
  const claimed = await db('state_sources')
    .where({ org_id, id })
    .whereNull('deleted_at')
    .where((free) => free.whereNull('claim').orWhere('claim_until', '<=', now))
    .update({ claim: token, claim_until: until });
  return claimed === 1;
}

export async function renewFetch(db: Db, claim: FetchClaim, until: Date): Promise<void> {
  await whereClaimed(db, claim).update({ claim_until: until });
}

/** Who fetches a source, and until when without a renewal. */
export async function findFetch(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ claim: string | null; claim_until: Date | null } | undefined> {
  return db('state_sources').where({ org_id: orgId, id }).whereNull('deleted_at').first('claim', 'claim_until');
}

/** Whether the claim is still valid; if so, nobody else takes or deletes the source until the transaction ends. */
export async function lockFetch(db: Db, claim: FetchClaim): Promise<boolean> {
  return (await whereClaimed(db, claim).forUpdate().first('id')) !== undefined;
}

/** Ends a fetch that succeeded. */
export async function finishFetch(db: Db, claim: FetchClaim, snapshot_id: string, now: Date): Promise<void> {
  await whereClaimed(db, claim).update({
    latest_snapshot_id: snapshot_id,
    last_fetched_at: now,
    last_fetch_error: null,
    missing_since: null,
    claim: null,
    claim_until: null,
  });
}

/**
 * Ends a fetch that failed; the last snapshot stays.
 *
 * @param missing_at set if the state does not exist
 */
export async function failFetch(
  db: Db,
  claim: FetchClaim,
  { error, missing_at }: { error: string; missing_at: Date | null },
): Promise<void> {
  await whereClaimed(db, claim).update({
    last_fetch_error: error,
    missing_since: missing_at === null ? db.ref('missing_since') : db.raw('coalesce(missing_since, ?)', [missing_at]),
    claim: null,
    claim_until: null,
  });
}

const SNAPSHOT_COLUMNS = [
  'id',
  'source_id',
  'content_hash',
  'blob_key',
  'resource_count',
  'parse_failure_count',
  'serial',
  'lineage',
  'terraform_version',
  'fetched_at',
] as const;

/** The snapshot of a source with this content. */
export async function findSnapshotByHash(
  db: Db,
  orgId: string,
  key: { source_id: string; content_hash: string },
): Promise<{ id: string } | undefined> {
  return db('state_snapshots')
    .where({ org_id: orgId, ...key })
    .first('id');
}

export async function findSnapshot(db: Db, orgId: string, id: string): Promise<Snapshot | undefined> {
  const row = await db('state_snapshots')
    .where({ org_id: orgId, id })
    .first(...SNAPSHOT_COLUMNS);
  // PostgreSQL returns 64-bit integers as text.
  return row && { ...row, serial: row.serial === null ? null : Number(row.serial) };
}

export async function insertSnapshot(db: Db, orgId: string, snapshot: Snapshot): Promise<void> {
  await db('state_snapshots').insert({ org_id: orgId, ...snapshot, created_at: snapshot.fetched_at });
}

/** Records that the content of a snapshot was fetched again. @returns false if it was deleted in the meantime */
export async function touchSnapshot(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  return (await db('state_snapshots').where({ org_id: orgId, id }).update({ fetched_at: now })) === 1;
}

/**
 * Deletes up to `limit` snapshots that are no longer needed: those of deleted sources, and those that are neither the
 * latest of their source nor among its `kept` newest after `before`.
 *
 * @returns their blobs
 */
export async function deleteOldSnapshots(
  db: Db,
  { before, kept, limit }: { before: Date; kept: number; limit: number },
): Promise<string[]> {
  const { rows } = await db.raw(
    `delete from state_snapshots where id in (
       select s.id from (
         select id, source_id, fetched_at,
           row_number() over (partition by source_id order by fetched_at desc, id desc) as place
         from state_snapshots
       ) s join state_sources o on o.id = s.source_id
       where o.deleted_at is not null
         or (s.id is distinct from o.latest_snapshot_id and (s.place > :kept or s.fetched_at < :before))
       limit :limit)
     returning blob_key`,
    { before, kept, limit },
  );
  return rows.map(({ blob_key }: { blob_key: string }) => blob_key);
}

/** Which of these blobs belong to a snapshot. */
export async function listLiveBlobs(db: Db, keys: readonly string[]): Promise<Set<string>> {
  return new Set(await db('state_snapshots').whereIn('blob_key', keys).pluck('blob_key'));
}

function whereClaimed(db: Db, { org_id, id, token }: FetchClaim) {
  return db('state_sources').where({ org_id, id, claim: token }).whereNull('deleted_at');
}
