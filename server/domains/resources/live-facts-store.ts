import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { Db } from '../../db/index.ts';

/** Larger properties are not looked at. */
const MOST_BYTES = 262_144;

export interface LinkedRow {
  id: string;
  cloud_account_id: string;
  provider: CloudProvider;
  external_account_id: string;
  provider_type: string;
  provider_resource_id: string;
  region: string | null;
  name: string | null;
  tags: Record<string, string>;
  aliases: string[];
  last_seen_at: Date;
  listed_ct: Buffer;
  later_scan_failed: boolean;
}

/** The resources whose properties a listing has shown, of accounts that are still connected. */
const SHOWN = `select r.id, r.cloud_account_id, r.provider, a.external_account_id, r.provider_type, r.provider_resource_id,
    r.region, r.name, r.tags, r.aliases, r.last_seen_at, r.listed_ct,
    coalesce(ended.status = 'error' and ended.finished_at > r.last_seen_at, false) as later_scan_failed
  from live_resources r
  join cloud_accounts a on a.org_id = r.org_id and a.id = r.cloud_account_id and a.deleted_at is null
  left join lateral (
    select e.status, e.finished_at from scan_runs e
    where e.org_id = r.org_id and e.cloud_account_id = r.cloud_account_id and e.status in ('done', 'error')
    order by e.created_at desc, e.id desc limit 1
  ) ended on true
  where r.org_id = :org and r.gone_at is null and r.listed_ct is not null and octet_length(r.listed_ct) <= :most`;

export async function listLinked(db: Db, orgId: string, ids: readonly string[]): Promise<LinkedRow[]> {
  const { rows } = await db.raw(`${SHOWN} and r.id = any(:ids::uuid[])`, {
    org: orgId,
    most: MOST_BYTES,
    ids: [...ids],
  });
  return rows;
}

/** Resources of some types with these IDs. */
export async function listNeighbors(
  db: Db,
  orgId: string,
  { ids, types }: { ids: readonly string[]; types: readonly string[] },
): Promise<LinkedRow[]> {
  const { rows } = await db.raw(
    `${SHOWN} and r.id_key = any(array(select to_id_key(id) from unnest(:ids::text[]) as one (id)))
       and r.provider_type = any(:types::text[])`,
    { org: orgId, most: MOST_BYTES, ids: [...ids], types: [...types] },
  );
  return rows;
}
