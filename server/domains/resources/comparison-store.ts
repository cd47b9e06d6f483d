import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { DriftLive } from '../../adapters/drift-pool/types.ts';
import type { Db } from '../../db/index.ts';

export interface LiveRow extends Omit<DriftLive, 'properties'> {
  /** The beginning of its ID. */
  order_key: string;
  listed_ct: Buffer | null;
}

const LIVE_COLUMNS = [
  'id',
  'order_key',
  'provider_type',
  'provider_resource_id',
  'normalized_type',
  'region',
  'name',
  'tags',
  'aliases',
  'iac_resource_id',
  'listed_ct',
] as const;

/** Where a page of `listLive` ends. */
export type Position = Pick<LiveRow, 'provider_type' | 'order_key' | 'id'>;

/** Live resources of an account in the order of their index, after this position. */
export async function listLive(
  db: Db,
  orgId: string,
  { account_id, after, limit }: { account_id: string; after: Position | null; limit: number },
): Promise<LiveRow[]> {
  const rows = db('live_resources')
    .where({ org_id: orgId, cloud_account_id: account_id })
    .whereNull('gone_at')
    .orderBy(['provider_type', 'order_key', 'id'])
    .limit(limit);
  if (after !== null)
    rows.whereRaw('(provider_type, order_key, id) > (?, ?, ?)', [after.provider_type, after.order_key, after.id]);
  return rows.select(LIVE_COLUMNS);
}

export interface OneLiveRow extends LiveRow {
  cloud_account_id: string;
  provider: CloudProvider;
  /** All properties, if they were read. */
  properties_ct: Buffer | null;
}

export async function findLive(db: Db, orgId: string, id: string): Promise<OneLiveRow | undefined> {
  return db('live_resources')
    .where({ org_id: orgId, id })
    .whereNull('gone_at')
    .first(...LIVE_COLUMNS, 'cloud_account_id', 'provider', 'properties_ct');
}

export async function listLedger(
  db: Db,
  orgId: string,
  cloud_account_id: string,
): Promise<{ region: string | null; provider_type: string | null; code: string | null; message: string | null }[]> {
  return db('inventory_parts')
    .where({ org_id: orgId, cloud_account_id })
    .orderBy('part_key')
    .select('region', 'provider_type', 'code', 'message');
}

export async function updateMatches(db: Db, orgId: string, matches: string): Promise<void> {
  await db.raw(
    `update live_resources r set iac_resource_id = m.iac_resource_id
     from jsonb_to_recordset(?::jsonb) as m (id uuid, iac_resource_id text)
     where r.org_id = ? and r.id = m.id and r.iac_resource_id is distinct from m.iac_resource_id`,
    [matches, orgId],
  );
}
