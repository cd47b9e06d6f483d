import type { Db } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { DriftCandidate, PlanDriftItem } from '../resources/index.ts';
import type { PlanDrift, StoredPlanDrift } from './types.ts';

/**
 * The changed and missing items of the last snapshots of all accounts that are about these resources: with the same ID,
 * type and address.
 */
export async function listOfPlan(
  db: Db,
  orgId: string,
  candidates: readonly DriftCandidate[],
): Promise<PlanDriftItem[]> {
  const { rows } = await db.raw(
    `with wanted as materialized (
       select change_id, type, address, previous_address, to_id_key(id) as key
       from unnest(:changes::text[], :types::text[], :addresses::text[], :previous::text[], :ids::text[])
         as one (change_id, type, address, previous_address, id)
     ), latest as materialized (
       select s.items_id, s.scan_run_id, s.cloud_account_id, r.finished_at as scanned_at, r.created_at
       from cloud_accounts a cross join lateral (
         select * from drift_snapshots d where d.org_id = a.org_id and d.cloud_account_id = a.id
         order by d.created_at desc, d.id desc limit 1
       ) s join scan_runs r on r.org_id = a.org_id and r.id = s.scan_run_id
       where a.org_id = :org and a.deleted_at is null
     )
     select distinct on (w.change_id) w.change_id, i.id as drift_item_id, l.scan_run_id, l.cloud_account_id, i.drift_type,
       i.certainty, i.stable_key, i.first_detected_at, l.scanned_at, i.attributes, i.attributes_total,
       coalesce(ended.status = 'error', false) as later_scan_failed
     from wanted w cross join lateral (
       select * from drift_items d where d.org_id = :org and d.id_key is not null and d.id_key = w.key
     ) i
     join latest l on l.items_id = i.items_id
     left join lateral (
       select e.status from scan_runs e
       where e.org_id = :org and e.cloud_account_id = l.cloud_account_id and e.status in ('done', 'error')
         and e.created_at > l.created_at
       order by e.created_at desc, e.id desc limit 1
     ) ended on true
     where i.resource_type = w.type and i.resource_address in (w.address, w.previous_address)
     order by w.change_id, i.first_detected_at, i.id`,
    {
      org: orgId,
      changes: candidates.map(({ change_id }) => change_id),
      types: candidates.map(({ type }) => type),
      addresses: candidates.map(({ address }) => address),
      previous: candidates.map(({ previous_address }) => previous_address ?? ''),
      ids: candidates.map(({ id }) => id),
    },
  );
  return rows;
}

/** Stores the differences that an analysis knew, in the transaction that ends it. */
export async function insertPlanDrift(
  db: Db,
  orgId: string,
  run: { scan_run_id: string; created_at: Date },
  items: readonly StoredPlanDrift[],
): Promise<void> {
  await db('plan_drift').insert(items.map((item) => ({ org_id: orgId, ...run, ...item })));
}

/**
 * Whether a difference still exists in the last snapshot of its account. A snapshot that is incomplete resolves a
 * difference only if it found the resource: otherwise nobody has looked.
 */
const OUTCOMES = `select p.scan_run_id, p.change_id, p.address, p.drift_type, p.first_detected_at,
    s.created_at as compared_at, s.scan_run_id as compared_scan_id,
    case
      when s.id is null then 'pending'
      when s.items_id is null then 'not_checked'
      when exists (
        select from drift_items i where i.org_id = p.org_id and i.items_id = s.items_id and i.stable_key = p.stable_key
      ) then 'still_different'
      when s.drift_status <> 'incomplete' or exists (
        select from live_resources r
        where r.org_id = p.org_id and r.iac_key is not null and r.iac_key = md5(p.address)::uuid
          and r.cloud_account_id = p.cloud_account_id and r.gone_at is null
      ) then 'resolved'
      else 'not_checked'
    end as outcome
  from plan_drift p
  left join lateral (
    select * from drift_snapshots d
    where d.org_id = p.org_id and d.cloud_account_id = p.cloud_account_id and d.created_at > p.created_at
    order by d.created_at desc, d.id desc limit 1
  ) s on true
  where p.org_id = :org`;

/** One page of the differences of an analysis, by address. */
export async function listOutcomes(
  db: Db,
  orgId: string,
  scan_run_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ changes: PlanDrift[]; total: number }> {
  const { rows } = await db.raw(
    `${OUTCOMES} and p.scan_run_id = :run order by p.address, p.change_id limit :limit offset :offset`,
    { org: orgId, run: scan_run_id, limit, offset },
  );
  return { changes: rows, total: await countRows(db('plan_drift').where({ org_id: orgId, scan_run_id })) };
}

/** The outcomes of some changes, those without a difference left out. */
export async function findOutcomes(
  db: Db,
  orgId: string,
  changes: readonly { scan_run_id: string; change_id: string }[],
): Promise<Pick<PlanDrift, 'scan_run_id' | 'change_id' | 'outcome'>[]> {
  const { rows } = await db.raw(
    `${OUTCOMES} and (p.scan_run_id, p.change_id) in (select * from unnest(:runs::uuid[], :changes::text[]))`,
    {
      org: orgId,
      runs: changes.map(({ scan_run_id }) => scan_run_id),
      changes: changes.map(({ change_id }) => change_id),
    },
  );
  return rows;
}
