import type { RiskLevel } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { DriftItem, ItemFilter, StoredSnapshot } from './types.ts';

/** Longer addresses are compared after the index found them. */
const INDEXED_ADDRESS = 200;
const RANKS: Record<RiskLevel, number> = { none: 0, low: 1, medium: 2, high: 3, critical: 4 };

const SHOWN = [
  'id',
  'drift_type',
  'first_detected_at',
  'resource_address',
  'resource_type',
  'provider_type',
  'normalized_type',
  'provider_resource_id',
  'live_resource_id',
  'region',
  'name',
  'state_source_id',
  'categories',
  'certainty',
  'level',
  'reasons',
  'attributes',
  'attributes_total',
  'suppressed',
  'ignore_rule_id',
  'import_block',
  'console_url',
  'suppression_id',
  'actor',
] as const;

/** How PostgreSQL reads the rows of a thread; `stable_key` is decoded and `level_rank` derived on the way. */
const ROW_TYPES = `position integer, id uuid, stable_key text, drift_type text, first_detected_at timestamptz,
  resource_address text, resource_type text, provider_type text, normalized_type text, provider_resource_id text,
  live_resource_id uuid, region text, name text, tags jsonb, state_source_id uuid, categories text[], certainty text,
  level text, reasons jsonb, attributes jsonb, attributes_total integer, suppressed boolean, ignore_rule_id uuid,
  import_block text, console_url text, suppression_id uuid, actor jsonb`;

export async function insertSet(
  db: Db,
  orgId: string,
  set: { id: string; cloud_account_id: string; content_hash: Uint8Array; item_count: number; created_at: Date },
): Promise<void> {
  await db('drift_item_sets').insert({ org_id: orgId, ...set, last_used_at: set.created_at });
}

/** Inserts items, and counts them by type and level. @param rows JSON text of an array of `DriftItemRow` */
export async function insertItems(db: Db, orgId: string, items_id: string, rows: string): Promise<void> {
  const columns = ['position', ...SHOWN, 'tags'].join(', ');
  await db.raw(
    `with inserted as (
       insert into drift_items (org_id, items_id, stable_key, level_rank, ${columns})
       select ?, ?, decode(r.stable_key, 'hex'),
         array_position(array['none', 'low', 'medium', 'high', 'critical'], r.level) - 1,
         ${columns.replace(/\w+/g, 'r.$&')}
       from jsonb_to_recordset(?::jsonb) as r (${ROW_TYPES})
       returning org_id, items_id, drift_type, level_rank, resource_type, provider_type
     )
     insert into drift_item_counts as present
       (org_id, items_id, drift_type, level_rank, resource_type, provider_type, item_count)
     select org_id, items_id, drift_type, level_rank, coalesce(resource_type, ''), coalesce(provider_type, ''), count(*)
     from inserted group by 1, 2, 3, 4, 5, 6
     on conflict on constraint drift_item_counts_pkey
       do update set item_count = present.item_count + excluded.item_count`,
    [orgId, items_id, rows],
  );
}

/** Uses a set again whose content is the same. */
export async function touchSet(db: Db, orgId: string, id: string, now: Date): Promise<void> {
  await db('drift_item_sets').where({ org_id: orgId, id }).update({ last_used_at: now });
}

/** One page in the order of the set, and the number of items that match. */
export async function listItems(
  db: Db,
  { org_id, items_id, ...snapshot }: StoredSnapshot & { org_id: string },
  filter: ItemFilter,
  page: { limit: number; offset: number },
): Promise<{ items: DriftItem[]; total: number }> {
  if (items_id === null) return { items: [], total: 0 };
  const set = () => db('drift_items').where({ org_id, items_id });
  const range = findRange(snapshot, filter);
  if (range !== null) {
    const from = range.from + page.offset;
    const to = Math.min(from + page.limit, range.to);
    const items = await set()
      .where('position', '>=', from)
      .where('position', '<', to)
      .orderBy('position')
      .select(SHOWN);
    return { items: items as DriftItem[], total: range.to - range.from };
  }
  const matching = applyFilter(set(), filter);
  const [items, total] = await Promise.all([
    matching.clone().orderBy('position').limit(page.limit).offset(page.offset).select(SHOWN) as Promise<DriftItem[]>,
    isCounted(filter) ? sumCounts(db, { org_id, items_id }, filter) : countRows(matching),
  ]);
  return { items, total };
}

/** Whether the counts by type and level tell how many items match. */
function isCounted({ address, detected_before }: ItemFilter): boolean {
  return address === undefined && detected_before === undefined;
}

async function sumCounts(db: Db, set: { org_id: string; items_id: string }, filter: ItemFilter): Promise<number> {
  const counts = applyFilter(db('drift_item_counts').where(set), filter);
  const [sum]: { total: string | null }[] = await counts.sum({ total: 'item_count' });
  return Number(sum?.total ?? 0);
}

/** Items that no rule accepts, counted by type and level. */
export async function countOpen(
  db: Db,
  orgId: string,
  items_id: string,
): Promise<{ drift_type: DriftItem['drift_type']; level: RiskLevel; count: number }[]> {
  return db('drift_items')
    .where({ org_id: orgId, items_id, suppressed: false })
    .groupBy('drift_type', 'level')
    .select('drift_type', 'level', db.raw('count(*)::integer as count'));
}

/** Items that no rule accepts, the highest levels first. Reads each level in the order of the set. */
export async function listWorst(db: Db, orgId: string, items_id: string, limit: number): Promise<DriftItem[]> {
  const { rows } = await db.raw(
    `select ${SHOWN.map((column) => `item.${column}`).join(', ')}
     from unnest(array[4, 3, 2, 1, 0]) with ordinality as wanted (level_rank, n)
     cross join lateral (
       select * from drift_items i where i.org_id = ? and i.items_id = ? and i.level_rank = wanted.level_rank
         and not i.suppressed order by i.position limit ?
     ) item
     order by wanted.n, item.position limit ?`,
    [orgId, items_id, limit, limit],
  );
  return rows;
}

/** What drift ignore rules match, from this position on. */
export async function listIgnorable(db: Db, orgId: string, items_id: string, from: number, limit: number) {
  return db('drift_items')
    .where({ org_id: orgId, items_id })
    .where('position', '>=', from)
    .orderBy('position')
    .limit(limit)
    .select(
      'drift_type',
      'resource_type',
      'provider_type',
      'resource_address',
      'provider_resource_id',
      'tags',
      'level',
      db.raw(`coalesce((select jsonb_agg(a -> 'path') from jsonb_array_elements(attributes) a), '[]') as paths`),
    );
}

/** The keys of a set, with the times at which their differences were first detected. */
export async function listKeys(
  db: Db,
  orgId: string,
  items_id: string,
  from: number,
  limit: number,
): Promise<(Pick<DriftItem, 'first_detected_at' | 'certainty'> & { stable_key: Buffer })[]> {
  return db('drift_items')
    .where({ org_id: orgId, items_id })
    .where('position', '>=', from)
    .orderBy('position')
    .limit(limit)
    .select('stable_key', 'first_detected_at', 'certainty');
}

/** Sets that no snapshot has used since. @returns the number of deleted sets */
export async function deleteUnusedSets(db: Db, before: Date, limit: number): Promise<number> {
  const unused = db('drift_item_sets').where('last_used_at', '<', before).limit(limit).select('id');
  return db('drift_item_sets').whereIn('id', unused).delete();
}

/** Items are stored type by type, so all, and those of one type, are a range of positions; null for other filters. */
function findRange(
  counts: Pick<StoredSnapshot, 'changed_count' | 'missing_count' | 'extra_count'>,
  { drift_type, ...others }: ItemFilter,
): { from: number; to: number } | null {
  if (Object.values(others).some((value) => value !== undefined)) return null;
  const missing_from = counts.changed_count;
  const new_from = missing_from + counts.missing_count;
  const end = new_from + counts.extra_count;
  if (drift_type === undefined) return { from: 0, to: end };
  return {
    changed: { from: 0, to: missing_from },
    missing: { from: missing_from, to: new_from },
    new: { from: new_from, to: end },
  }[drift_type];
}

function applyFilter(
  query: ReturnType<Db>,
  { drift_type, min_risk, resource_type, address, detected_before }: ItemFilter,
) {
  if (drift_type !== undefined) query.where({ drift_type });
  if (min_risk !== undefined) query.where('level_rank', '>=', RANKS[min_risk]);
  if (resource_type !== undefined)
    query.where((either) => either.where({ resource_type }).orWhere('provider_type', resource_type));
  if (detected_before !== undefined) query.where('first_detected_at', '<=', detected_before);
  if (address !== undefined) {
    query.whereRaw('left(resource_address, ?) like ?', [
      INDEXED_ADDRESS,
      `${escapeLike(address.slice(0, INDEXED_ADDRESS))}%`,
    ]);
    query.whereRaw('starts_with(resource_address, ?)', [address]);
  }
  return query;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
