import { type Db, toBindings } from '../../db/index.ts';
import type { RunRef } from './runs-store.ts';
import type { ScanClaim, StoredPart } from './types.ts';

const COLUMNS = `part_key as key, service, region, provider_type, by_region, cursor, status, page_count, resource_count,
  faults`;

/** The parts of a scan in the order in which they are read. */
export async function listParts(db: Db, { org_id, id }: RunRef): Promise<StoredPart[]> {
  const { rows } = await db.raw(
    `select ${COLUMNS} from scan_parts where org_id = ? and scan_run_id = ? order by place`,
    [org_id, id],
  );
  return rows;
}

/** The same, after pages that are being written are committed; no page is written before the transaction ends. */
export async function lockParts(db: Db, { org_id, id }: RunRef): Promise<StoredPart[]> {
  const { rows } = await db.raw(
    `select ${COLUMNS} from scan_parts where org_id = ? and scan_run_id = ? order by place for update`,
    [org_id, id],
  );
  return rows;
}

export async function insertParts(db: Db, { org_id, id }: RunRef, parts: readonly StoredPart[]): Promise<void> {
  if (parts.length === 0) return;
  await db.raw(
    `insert into scan_parts (org_id, scan_run_id, place, part_key, service, region, provider_type, by_region, status,
       faults)
     select ?::uuid, ?::uuid, row.place, row.part_key, row.service, row.region, row.provider_type, row.by_region,
       row.status, row.faults::jsonb
     from unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::text[], ?::text[])
       as row (place, part_key, service, region, provider_type, by_region, status, faults)`,
    toBindings([
      ...[org_id, id],
      parts.map((_, place) => place),
      parts.map(({ key }) => key),
      parts.map(({ service }) => service),
      parts.map(({ region }) => region),
      parts.map(({ provider_type }) => provider_type),
      parts.map(({ by_region }) => by_region),
      parts.map(({ status }) => status),
      parts.map(({ faults }) => JSON.stringify(faults)),
    ]),
  );
}

/**
 * Moves a part forward by a page, or ends it. Nothing moves if another worker has moved the part, or has the scan, or if
 * the scan has ended.
 */
export async function movePart(db: Db, claim: ScanClaim, before: StoredPart, after: StoredPart): Promise<boolean> {
  const { rowCount } = await db.raw(
    `update scan_parts set cursor = ?, status = ?, page_count = ?, resource_count = ?, faults = ?::jsonb
     where org_id = ? and scan_run_id = ? and part_key = ? and status = 'pending' and page_count = ?
       and exists (select from scan_runs run
         where run.org_id = ? and run.id = ? and run.status = 'running' and run.attempts = ?)`,
    [
      ...[after.cursor, after.status, after.page_count, after.resource_count, JSON.stringify(after.faults)],
      ...[claim.org_id, claim.id, before.key, before.page_count, claim.org_id, claim.id, claim.attempts],
    ],
  );
  return rowCount === 1;
}

export async function deleteParts(db: Db, { org_id, id }: RunRef): Promise<void> {
  await db('scan_parts').where({ org_id, scan_run_id: id }).delete();
}
