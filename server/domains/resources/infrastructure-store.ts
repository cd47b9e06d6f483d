import type { Db } from '../../db/index.ts';
import type { AccountInventory } from './types.ts';

/** All accounts with the sizes of their inventories, by name. Reads counters, never the resources. */
export async function listAccountInventories(db: Db, orgId: string): Promise<AccountInventory[]> {
  const { rows } = await db.raw(
    `select a.id, a.provider, a.display_name, a.external_account_id, a.status, a.regions,
       coalesce(counted.live_count, 0)::integer as live_count,
       coalesce(counted.matched_count, 0)::integer as matched_count,
       ended.id as ended_scan_id, ended.finished_at as ended_scan_at, ended.status as ended_scan_status,
       ended.error_count as ended_scan_errors, done.finished_at as done_scan_at
     from cloud_accounts a
     left join lateral (
       select sum(c.live_count) as live_count, sum(c.matched_count) as matched_count from inventory_counts c
       where c.org_id = a.org_id and c.cloud_account_id = a.id
     ) counted on true
     left join lateral (
       select s.id, s.finished_at, s.status, jsonb_array_length(s.scan_errors) as error_count from scan_runs s
       where s.org_id = a.org_id and s.cloud_account_id = a.id and s.status in ('done', 'error')
       order by s.created_at desc, s.id desc limit 1
     ) ended on true
     left join lateral (
       select s.finished_at from scan_runs s
       where s.org_id = a.org_id and s.cloud_account_id = a.id and s.status = 'done'
       order by s.created_at desc, s.id desc limit 1
     ) done on true
     where a.org_id = ? and a.deleted_at is null
     order by a.display_name, a.id`,
    [orgId],
  );
  return rows;
}
