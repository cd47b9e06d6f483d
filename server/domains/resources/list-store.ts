import type { Knex } from 'knex';
import type { Db } from '../../db/index.ts';
import { type Slice, sliceTypes, type TypeCount } from './slices.ts';
import type { LiveResource, Page, ResourceFilter, ResourcePage } from './types.ts';

/** Up to this offset, skipping rows is cheaper than avoiding it. */
const SHALLOW = 200;
/** Resources that one search reads by name, and again by ID. */
const MOST_FOUND = 5_000;
/** No text that begins with another one comes after it and this character. */
const LAST_CHARACTER = '\u{10FFFF}';

export const COLUMNS = [
  'id',
  'cloud_account_id',
  'provider',
  'region',
  'name',
  'provider_resource_id',
  'provider_type',
  'normalized_type',
  'iac_resource_id',
  'enrichment_status',
  'tags',
  'risk_categories',
  'first_seen_at',
  'last_seen_at',
] as const;
const SELECTED = COLUMNS.map((column) => `r.${column}`).join(', ');

interface Conditions {
  sql: string;
  bindings: Knex.RawBinding[];
}

/** One page by type and ID, and the total. */
export async function listResources(
  db: Db,
  orgId: string,
  { q, ...filter }: ResourceFilter,
  page: Page,
): Promise<ResourcePage> {
  const [deleted, first] = await Promise.all([
    listDeletedAccounts(db, orgId),
    readFirst(db, orgId, { q, ...filter }, page),
  ]);
  if (first !== undefined && deleted.length === 0) return first;
  const types = await countTypes(db, orgId, filter, deleted);
  const conditions = toConditions(filter, deleted);
  if (q !== undefined) return searchResources(db, orgId, { q, types, conditions }, page);
  const slices = sliceTypes(types, page);
  const [head, ...rest] = slices;
  const groups = head?.from_end === true ? [[head], rest] : [slices];
  const resources: LiveResource[] = [];
  for (const group of groups) resources.push(...(await readSlices(db, orgId, group, conditions)));
  return { resources, total: sumCounts(types), truncated: false };
}

/** Deleted accounts whose resources are still stored. */
async function listDeletedAccounts(db: Db, orgId: string): Promise<string[]> {
  return db('cloud_accounts as a')
    .where('a.org_id', orgId)
    .whereNotNull('a.deleted_at')
    .whereExists(
      db('inventory_counts as c')
        .where({ 'c.org_id': orgId, 'c.cloud_account_id': db.ref('a.id') })
        .where('c.live_count', '>', 0)
        .select(db.raw('1')),
    )
    .pluck('a.id');
}

/** A page near the beginning of all resources, or of those of one account; undefined for every other page. */
async function readFirst(
  db: Db,
  orgId: string,
  { account_id, ...others }: ResourceFilter,
  { limit, offset }: Page,
): Promise<ResourcePage | undefined> {
  if (offset > SHALLOW || Object.values(others).some((value) => value !== undefined)) return undefined;
  const of_account = account_id === undefined ? {} : { cloud_account_id: account_id };
  const [resources, [counted]] = await Promise.all([
    db('live_resources')
      .where({ org_id: orgId, ...of_account })
      .whereNull('gone_at')
      .orderBy(['provider_type', 'order_key', 'id'])
      .limit(limit)
      .offset(offset)
      .select(...COLUMNS) as Promise<LiveResource[]>,
    db('inventory_counts')
      .where({ org_id: orgId, ...of_account })
      .select(db.raw('coalesce(sum(live_count), 0)::integer as total')),
  ]);
  return { resources, total: counted.total, truncated: false };
}

/** The number of resources of each type, in the order of the list. */
async function countTypes(
  db: Db,
  orgId: string,
  { account_id, unmatched, type, region, ...equal }: Omit<ResourceFilter, 'q'>,
  deleted: readonly string[],
): Promise<TypeCount[]> {
  const counted = db('inventory_counts as c').where('c.org_id', orgId).where('c.live_count', '>', 0);
  const renamed = { cloud_account_id: account_id, provider_type: type, region_key: region };
  for (const [column, value] of Object.entries({ ...equal, ...renamed })) {
    if (value !== undefined) counted.where(`c.${column}`, value);
  }
  if (deleted.length > 0) counted.whereNotIn('c.cloud_account_id', deleted);
  const rows: TypeCount[] = await counted
    .groupBy('c.provider_type')
    .orderBy('c.provider_type')
    .select('c.provider_type', db.raw(`sum(${chooseCount(unmatched)})::integer as count`));
  return rows.filter(({ count }) => count > 0);
}

function sumCounts(types: readonly TypeCount[]): number {
  return types.reduce((sum, { count }) => sum + count, 0);
}

function chooseCount(unmatched: boolean | undefined): string {
  if (unmatched === undefined) return 'c.live_count';
  return unmatched ? 'c.live_count - c.matched_count' : 'c.matched_count';
}

/** Conditions on rows of the types that were counted. */
function toConditions(
  { account_id, provider, normalized_type, region, unmatched }: Omit<ResourceFilter, 'q'>,
  deleted: readonly string[],
): Conditions {
  const parts: [sql: string, ...bindings: Knex.RawBinding[]][] = [];
  if (account_id !== undefined) parts.push(['r.cloud_account_id = ?', account_id]);
  if (deleted.length > 0) parts.push(['r.cloud_account_id <> all(?::uuid[])', [...deleted]]);
  if (provider !== undefined) parts.push(['r.provider = ?', provider]);
  if (normalized_type !== undefined) parts.push(['r.normalized_type = ?', normalized_type]);
  if (region !== undefined) parts.push(['r.region_key = ?', region]);
  if (unmatched !== undefined) parts.push([`r.iac_key is ${unmatched ? '' : 'not '}null`]);
  return {
    sql: parts.map(([sql]) => ` and ${sql}`).join(''),
    bindings: parts.flatMap(([, ...bindings]) => bindings),
  };
}

/** The rows of slices that all count from the same end. Skipped rows are skipped within the index. */
async function readSlices(
  db: Db,
  orgId: string,
  slices: readonly Slice[],
  { sql, bindings }: Conditions,
): Promise<LiveResource[]> {
  if (slices.length === 0) return [];
  const order = slices[0]?.from_end === true ? 'desc' : 'asc';
  const { rows } = await db.raw(
    `select ${SELECTED} from unnest(?::text[], ?::integer[], ?::integer[]) with ordinality as slice (type, skip, take, n)
     cross join lateral (
       select r.id from live_resources r
       where r.org_id = ? and r.gone_at is null and r.provider_type = slice.type collate "C"${sql}
       order by r.order_key ${order}, r.id ${order} offset slice.skip limit slice.take
     ) page
     join live_resources r on r.id = page.id
     order by slice.n, r.order_key, r.id`,
    [
      slices.map(({ provider_type }) => provider_type),
      slices.map(({ skip }) => skip),
      slices.map(({ take }) => take),
      orgId,
      ...bindings,
    ],
  );
  return rows;
}

interface Search {
  q: string;
  types: readonly TypeCount[];
  conditions: Conditions;
}

/**
 * Resources whose name or ID begins with a text, or that have it as an ID. Reads at most `MOST_FOUND` entries of the
 * index of names, and of the IDs of all types, whatever the text is.
 */
async function searchResources(
  db: Db,
  orgId: string,
  { q, types, conditions }: Search,
  { limit, offset }: Page,
): Promise<ResourcePage> {
  const name = [...q.toLowerCase()].slice(0, 100).join('');
  const id = [...q].slice(0, 200).join('');
  const { rows } = await db.raw(
    `with found as materialized (
       (select r.id from live_resources r where r.org_id = :org and r.gone_at is null and r.name is not null
          and r.name_key >= :name and r.name_key < :name_end limit :most)
       union all
       (select page.id from unnest(:types::text[]) as one (type) cross join lateral (
          select r.id from live_resources r where r.org_id = :org and r.gone_at is null
            and r.provider_type = one.type collate "C" and r.order_key >= :id and r.order_key < :id_end limit :most
        ) page limit :most)
       union all
       (select r.id from live_resources r where r.org_id = :org and r.gone_at is null
          and r.id_key = (select to_id_key(:q)) limit :most)
       union all
       (select r.id from live_resources r where r.org_id = :org and r.gone_at is null and r.alias_key is not null
          and r.alias_key = (select to_id_key(:q)) limit :most)
     ), listed as materialized (
       select distinct r.id, r.provider_type, r.order_key from found join live_resources r using (id)
       where r.provider_type = any(:types::text[])${numbered(conditions)}
     )
     select (select count(*) from listed)::integer as total, (select count(*) from found)::integer as found_count,
       array(select l.id from listed l order by l.provider_type, l.order_key, l.id limit :limit offset :offset) as ids`,
    {
      ...{ org: orgId, q, name, id, limit, offset, most: MOST_FOUND + 1 },
      ...{ name_end: name + LAST_CHARACTER, id_end: id + LAST_CHARACTER },
      types: types.map(({ provider_type }) => provider_type),
      ...Object.fromEntries(conditions.bindings.map((value, n) => [`condition_${n}`, value])),
    } as Record<string, Knex.RawBinding>,
  );
  const [{ total, found_count, ids }] = rows;
  const truncated = found_count > MOST_FOUND;
  return { resources: await readByIds(db, orgId, ids), total, truncated };
}

/** The conditions with named bindings. */
function numbered({ sql }: Conditions): string {
  let n = 0;
  return sql.replace(/\?/g, () => `:condition_${n++}`);
}

async function readByIds(db: Db, orgId: string, ids: readonly string[]): Promise<LiveResource[]> {
  if (ids.length === 0) return [];
  return db('live_resources as r')
    .where('r.org_id', orgId)
    .whereIn('r.id', ids)
    .orderBy(['r.provider_type', 'r.order_key', 'r.id'])
    .select(...COLUMNS.map((column) => `r.${column}`));
}
