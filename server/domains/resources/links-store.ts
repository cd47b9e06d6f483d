import type { Db } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { Hit, LookedUp } from './link-match.ts';
import type { FoundLink, Page, PlanLink } from './types.ts';

/** Resources with the same ID that are looked at; a name can belong to many. */
const MOST_WITH_ID = 20;

/** Whether the organization has any live resource. */
export async function hasInventory(db: Db, orgId: string): Promise<boolean> {
  return (await db('live_resources').where({ org_id: orgId }).whereNull('gone_at').first('id')) !== undefined;
}

/** The live resources with these IDs and addresses. */
export async function lookUp(db: Db, orgId: string, lookups: readonly LookedUp[]): Promise<Hit[]> {
  const { rows } = await db.raw(
    `with wanted as materialized (
       select change, matched_by, text,
         case matched_by when 'address' then md5(text)::uuid else to_id_key(text) end as key
       from unnest(:changes::integer[], :kinds::text[], :texts::text[]) as one (change, matched_by, text)
     )
     select w.change, w.matched_by, w.text, hit.id as live_resource_id, hit.provider_type
     from wanted w cross join lateral (
       (select r.id, r.provider_type, r.cloud_account_id from live_resources r
        where r.org_id = :org and r.gone_at is null and r.id_key = w.key and w.matched_by <> 'address' limit :most)
       union all
       (select r.id, r.provider_type, r.cloud_account_id from live_resources r
        where r.org_id = :org and r.gone_at is null and r.alias_key is not null and r.alias_key = w.key
          and w.matched_by <> 'address' limit :most)
       union all
       (select r.id, r.provider_type, r.cloud_account_id from live_resources r
        where r.org_id = :org and r.gone_at is null and r.iac_key is not null and r.iac_key = w.key
          and w.matched_by = 'address' limit :most)
     ) hit join cloud_accounts a on a.id = hit.cloud_account_id and a.deleted_at is null`,
    {
      org: orgId,
      most: MOST_WITH_ID,
      changes: lookups.map(({ change }) => change),
      kinds: lookups.map(({ matched_by }) => matched_by),
      texts: lookups.map(({ text }) => text),
    },
  );
  return rows;
}

/** Stores the links of an analysis; those to resources that were deleted in the meantime are left out. */
export async function insertLinks(
  db: Db,
  orgId: string,
  { scan_run_id, created_at }: { scan_run_id: string; created_at: Date },
  links: readonly FoundLink[],
): Promise<void> {
  const column = (name: keyof FoundLink) => links.map((link) => link[name]);
  await db.raw(
    `insert into plan_links (org_id, scan_run_id, created_at, change_id, live_resource_id, address, action, risk_level,
       matched_by)
     select r.org_id, ?, ?, l.change_id, r.id, l.address, l.action, l.risk_level, l.matched_by
     from unnest(?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[])
       as l (change_id, live_resource_id, address, action, risk_level, matched_by)
     join live_resources r on r.org_id = ? and r.id = l.live_resource_id
     on conflict on constraint plan_links_pkey do nothing`,
    [
      scan_run_id,
      created_at,
      column('change_id'),
      column('live_resource_id'),
      column('address'),
      column('action'),
      column('risk_level'),
      column('matched_by'),
      orgId,
    ],
  );
}

/** One page of the changes of a resource, newest first, and the total. */
export async function listLinks(
  db: Db,
  orgId: string,
  live_resource_id: string,
  { limit, offset }: Page,
): Promise<{ links: Omit<PlanLink, 'pr_url' | 'drift_outcome'>[]; total: number }> {
  const matching = db('plan_links as l').where({ 'l.org_id': orgId, 'l.live_resource_id': live_resource_id });
  const [links, total] = await Promise.all([
    matching
      .clone()
      .join('scan_runs as s', (same) => same.on('s.org_id', 'l.org_id').andOn('s.id', 'l.scan_run_id'))
      .orderBy([{ column: 'l.created_at', order: 'desc' }, 'l.scan_run_id', 'l.change_id'])
      .limit(limit)
      .offset(offset)
      .select(
        ...['scan_run_id', 'change_id', 'address', 'action', 'risk_level', 'matched_by', 'created_at'].map(
          (name) => `l.${name}`,
        ),
        ...['repo_owner', 'repo_name', 'repo_url', 'pr_number', 'branch', 'commit_sha'].map((name) => `s.${name}`),
      ) as Promise<Omit<PlanLink, 'pr_url' | 'drift_outcome'>[]>,
    countRows(matching),
  ]);
  return { links, total };
}
