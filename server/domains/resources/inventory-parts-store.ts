import type { Db } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { InventoryPart, Page, PartFilter, PartPage } from './types.ts';

const COLUMNS = [
  'part_key',
  'service',
  'region',
  'provider_type',
  'checked_at',
  'resource_count',
  'tried_at',
  'tried_by as last_scan_id',
  'code',
  'message',
  'permission',
  'retryable',
] as const;

/** One page of the parts of an account by their keys, and how many parts the account has in all. */
export async function listParts(
  db: Db,
  orgId: string,
  cloud_account_id: string,
  filter: PartFilter,
  { limit, offset }: Page,
): Promise<PartPage> {
  const all = () => db('inventory_parts').where({ org_id: orgId, cloud_account_id });
  const matching = filtered(all(), filter);
  const [parts, total, unchecked_count, part_count] = await Promise.all([
    matching
      .clone()
      .orderBy('part_key')
      .limit(limit)
      .offset(offset)
      .select(...COLUMNS) as Promise<InventoryPart[]>,
    countRows(matching),
    countRows(all().whereNotNull('code')),
    countRows(all()),
  ]);
  return { parts, total, unchecked_count, checked_count: part_count - unchecked_count };
}

function filtered<Query extends ReturnType<Db>>(parts: Query, { checked, type, ...equal }: PartFilter): Query {
  for (const [column, value] of Object.entries({ ...equal, provider_type: type })) {
    if (value !== undefined) parts.where(column, value);
  }
  if (checked === true) parts.whereNull('code');
  if (checked === false) parts.whereNotNull('code');
  return parts;
}
