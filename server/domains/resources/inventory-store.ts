import type { UncheckedPart } from '../../adapters/cloud/types.ts';
import { type Db, toBindings } from '../../db/index.ts';
import type { InventoryScan, KnownResource, PartOutcome, PreparedPage, ScanExtent } from './inventory-types.ts';

/** What is stored of these resources. */
export async function listKnown(
  db: Db,
  { org_id, cloud_account_id }: InventoryScan,
  resource_keys: readonly Buffer[],
): Promise<KnownResource[]> {
  const { rows } = await db.raw(
    `select id, resource_key, listed_hash from live_resources
     where org_id = ? and cloud_account_id = ? and resource_key = any(?::bytea[])`,
    [org_id, cloud_account_id, [...resource_keys]],
  );
  return rows;
}

/**
 * Inserts the resources of a page, or notes that they were seen again. Properties are replaced only if they changed. If
 * another transaction has inserted a resource since the page was prepared, its properties stay: those of this page are
 * encrypted for another row.
 */
export async function upsertPage(db: Db, scan: InventoryScan, page: PreparedPage, now: Date): Promise<void> {
  const { org_id, cloud_account_id, scan_id, provider } = scan;
  const columns = toColumns(page);
  await db.raw(
    `insert into live_resources as known (org_id, cloud_account_id, provider, part_key, last_scan_id, first_seen_at,
       last_seen_at, id, resource_key, provider_type, provider_resource_id, normalized_type, risk_categories, region,
       name, tags, aliases, listed_ct, listed_hash)
     select ?::uuid, ?::uuid, ?, ?, ?::uuid, ?::timestamptz, ?::timestamptz, id, resource_key, provider_type,
       provider_resource_id, normalized_type, risk_categories::text[], region, name, tags::jsonb, aliases::text[],
       listed_ct, listed_hash
     from unnest(?::uuid[], ?::bytea[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
       ?::text[], ?::bytea[], ?::bytea[])
       as row (id, resource_key, provider_type, provider_resource_id, normalized_type, risk_categories, region, name,
         tags, aliases, listed_ct, listed_hash)
     on conflict (org_id, cloud_account_id, resource_key) do update set
       part_key = excluded.part_key, normalized_type = excluded.normalized_type,
       risk_categories = excluded.risk_categories, name = excluded.name, tags = excluded.tags,
       aliases = excluded.aliases, last_seen_at = excluded.last_seen_at, last_scan_id = excluded.last_scan_id,
       gone_at = null, unseen_scans = 0,
       listed_ct = case when known.id = excluded.id and known.listed_hash is distinct from excluded.listed_hash
         then excluded.listed_ct else known.listed_ct end,
       listed_hash = case when known.id = excluded.id then excluded.listed_hash else known.listed_hash end`,
    toBindings([org_id, cloud_account_id, provider, page.part_key, scan_id, now, now, ...columns]),
  );
}

function toColumns({ rows }: PreparedPage): unknown[][] {
  return [
    rows.map((row) => row.id),
    rows.map((row) => row.resource_key),
    rows.map((row) => row.provider_type),
    rows.map((row) => row.provider_resource_id),
    rows.map((row) => row.normalized_type),
    rows.map((row) => toArrayText(row.risk_categories)),
    rows.map((row) => row.region),
    rows.map((row) => row.name),
    rows.map((row) => JSON.stringify(row.tags)),
    rows.map((row) => toArrayText(row.aliases)),
    rows.map((row) => row.listed_ct),
    rows.map((row) => row.listed_hash),
  ];
}

/** A list as PostgreSQL writes it, because `unnest` flattens lists of lists. */
function toArrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** How many resources a scan has seen. */
export async function countSeen(db: Db, { org_id, cloud_account_id, scan_id }: InventoryScan): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::integer as count from live_resources
     where org_id = ? and cloud_account_id = ? and last_scan_id = ?`,
    [org_id, cloud_account_id, scan_id],
  );
  return rows[0].count;
}

/**
 * Marks resources as gone that a scan did not see in parts that it read completely; those that were gone before were not
 * seen once more.
 *
 * @param regions of parts whose pages leave out other regions; empty if nothing was left out
 */
export async function markGone(
  db: Db,
  { org_id, cloud_account_id, scan_id }: InventoryScan,
  part_keys: readonly string[],
  regions: readonly string[],
  now: Date,
): Promise<void> {
  await db.raw(
    `update live_resources
     set gone_at = coalesce(gone_at, ?::timestamptz), unseen_scans = least(unseen_scans + 1, 1000)
     where org_id = ? and cloud_account_id = ? and part_key = any(?::text[]) and last_scan_id <> ?
       and (cardinality(?::text[]) = 0 or region is null or region = any(?::text[]))`,
    [now, org_id, cloud_account_id, [...part_keys], scan_id, [...regions], [...regions]],
  );
}

/** Notes for each part when it was checked, or why it was not. What an earlier scan has checked stays checked. */
export async function noteParts(db: Db, scan: InventoryScan, parts: readonly PartOutcome[], now: Date): Promise<void> {
  await insertParts(
    db,
    scan,
    parts,
    now,
    `update set service = excluded.service, region = excluded.region, provider_type = excluded.provider_type,
       checked_at = coalesce(excluded.checked_at, known.checked_at),
       resource_count = coalesce(excluded.resource_count, known.resource_count),
       tried_at = excluded.tried_at, tried_by = excluded.tried_by, code = excluded.code, message = excluded.message,
       permission = excluded.permission, retryable = excluded.retryable`,
  );
}

/** The same for parts about which the scan says nothing: only those that no scan has tried before are noted. */
export async function noteUntried(
  db: Db,
  scan: InventoryScan,
  parts: readonly PartOutcome[],
  now: Date,
): Promise<void> {
  await insertParts(db, scan, parts, now, 'nothing');
}

async function insertParts(
  db: Db,
  { org_id, cloud_account_id, scan_id }: InventoryScan,
  parts: readonly PartOutcome[],
  now: Date,
  on_conflict: string,
): Promise<void> {
  if (parts.length === 0) return;
  const isComplete = ({ outcome }: PartOutcome) => outcome === 'complete';
  await db.raw(
    `insert into inventory_parts as known (org_id, cloud_account_id, tried_by, tried_at, part_key, service, region,
       provider_type, checked_at, resource_count, code, message, permission, retryable)
     select ?::uuid, ?::uuid, ?::uuid, ?::timestamptz, part.*
     from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::timestamptz[], ?::integer[], ?::text[], ?::text[],
       ?::text[], ?::boolean[]) as part
     on conflict (org_id, cloud_account_id, part_key) do ${on_conflict}`,
    toBindings([
      ...[org_id, cloud_account_id, scan_id, now],
      parts.map(({ key }) => key),
      parts.map(({ service }) => service),
      parts.map(({ region }) => region),
      parts.map(({ provider_type }) => provider_type),
      parts.map((part) => (isComplete(part) ? now : null)),
      parts.map((part) => (isComplete(part) ? part.resource_count : null)),
      parts.map(({ reason }) => reason?.code ?? null),
      parts.map(({ reason }) => reason?.message ?? null),
      parts.map(({ reason }) => reason?.permission ?? null),
      parts.map(({ reason }) => reason?.retryable ?? null),
    ]),
  );
}

/**
 * Marks parts that an earlier scan knew and that the account no longer has, such as those of a region that was switched
 * off. They keep the time at which they were last checked.
 */
export async function markVanished(
  db: Db,
  { org_id, cloud_account_id, scan_id }: InventoryScan,
  outline: { part_keys: readonly string[]; regions: readonly string[]; unchecked: readonly UncheckedPart[] },
  { regions, is_filtered }: ScanExtent,
  now: Date,
): Promise<void> {
  const keys = [...outline.part_keys, ...outline.unchecked.map(({ key }) => key)];
  await db.raw(
    `update inventory_parts set tried_at = ?, tried_by = ?, permission = null, retryable = false,
       code = case when region is null or region = any(?::text[]) then 'unsupported_type' else 'region_disabled' end,
       message = case when region is null or region = any(?::text[])
         then 'This part was not read: this version no longer reads it on its own.'
         else 'This part was not read: its region is switched off, or is not among the regions of the account.' end
     where org_id = ? and cloud_account_id = ?
       and not exists (select from unnest(?::text[]) as key where key = part_key)
       and (not ?::boolean or region is null or region = any(?::text[]))`,
    [
      ...[now, scan_id, [...outline.regions], [...outline.regions], org_id, cloud_account_id, keys],
      ...[is_filtered, [...regions]],
    ],
  );
}

/** Deletes resources that were not seen in three scans of their part or that are gone since `before`. */
export async function deleteGone(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.raw(
    `delete from live_resources where id in (
       select id from live_resources where gone_at is not null and (unseen_scans >= 3 or gone_at < ?) limit ?)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Deletes the inventory of deleted accounts. */
export async function deleteOfDeletedAccounts(
  db: Db,
  table: 'live_resources' | 'inventory_parts',
  limit: number,
): Promise<number> {
  const { rowCount } = await db.raw(
    `delete from ${table} where ctid in (
       select one.ctid from ${table} one join cloud_accounts account on account.id = one.cloud_account_id
       where account.deleted_at is not null limit ?)`,
    [limit],
  );
  return rowCount ?? 0;
}
