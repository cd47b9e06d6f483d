import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { newId } from '../../server/lib/ids.ts';

export interface ResourceRow {
  id: string;
  provider: string;
  provider_type: string;
  provider_resource_id: string;
  normalized_type: string;
  risk_categories: string[];
  region: string | null;
  name: string | null;
  tags: string;
  aliases: string[];
  iac_resource_id: string | null;
  gone_at: Date | null;
  unseen_scans: number;
  enrichment_status: string;
  part_key: string;
  first_seen_at: Date;
  last_seen_at: Date;
  last_scan_id: string;
}

/** Inserts resources as a scan does, and returns their IDs. */
export async function insertResources(
  admin_db: Knex,
  { org_id, cloud_account_id }: { org_id: string; cloud_account_id: string },
  rows: readonly Partial<ResourceRow>[],
): Promise<string[]> {
  const at = new Date('2026-01-02T03:04:05.678Z');
  const made = rows.map((row) => {
    const whole = {
      id: newId(),
      provider: 'aws',
      provider_type: 'AWS::S3::Bucket',
      provider_resource_id: newId(),
      normalized_type: 'storage',
      risk_categories: ['stateful'],
      region: 'eu-west-1',
      name: null,
      tags: '{}',
      aliases: [],
      part_key: 'cloudcontrolapi/eu-west-1/AWS::S3::Bucket',
      first_seen_at: at,
      last_seen_at: at,
      last_scan_id: newId(),
      ...row,
    };
    const key = `${whole.provider_type}|${whole.region}|${whole.provider_resource_id}`;
    return { org_id, cloud_account_id, resource_key: createHash('sha256').update(key).digest(), ...whole };
  });
  if (made.length > 0) await admin_db.batchInsert('live_resources', made, 500);
  return made.map(({ id }) => id);
}

/** Deletes the inventory of every organization. */
export async function clearInventory(admin_db: Knex): Promise<void> {
  for (const table of ['plan_links', 'live_resources', 'inventory_counts', 'inventory_parts']) {
    await admin_db(table).delete();
  }
}
