/**
 * Lists of resources by region. Resources without a region have the region `global`, which is also what Azure calls it.
 * The counts have the region too, so that a deep page of one region starts at the type that it shows, and its index
 * skips rows of that region only.
 */
export const up = /* sql */ `
  alter table live_resources
    add column region_key text collate "C" generated always as (coalesce(region, 'global')) stored;
  create index live_resources_region_idx on live_resources (org_id, region_key, provider_type, order_key, id)
    include (cloud_account_id, iac_key) where gone_at is null;

  alter table inventory_counts add column region_key text collate "C" not null default 'global';
  alter table inventory_counts drop constraint inventory_counts_pkey;
  alter table inventory_counts add constraint inventory_counts_pkey
    primary key (org_id, cloud_account_id, provider_type, normalized_type, region_key);

  alter table live_resources no force row level security;
  alter table inventory_counts no force row level security;
  delete from inventory_counts;
  insert into inventory_counts
    (org_id, cloud_account_id, provider, provider_type, normalized_type, region_key, live_count, matched_count)
  select org_id, cloud_account_id, provider, provider_type, normalized_type, region_key, count(*), count(iac_resource_id)
  from live_resources where gone_at is null
  group by org_id, cloud_account_id, provider, provider_type, normalized_type, region_key;
  alter table live_resources force row level security;
  alter table inventory_counts force row level security;

  create or replace function count_new_resources() returns trigger language plpgsql as $body$
  begin
    insert into inventory_counts as present
      (org_id, cloud_account_id, provider, provider_type, normalized_type, region_key, live_count, matched_count)
    select org_id, cloud_account_id, provider, provider_type, normalized_type, coalesce(region, 'global'), count(*),
      count(iac_resource_id)
    from new_rows where gone_at is null
    group by org_id, cloud_account_id, provider, provider_type, normalized_type, coalesce(region, 'global')
    order by org_id, cloud_account_id, provider_type, normalized_type, coalesce(region, 'global') collate "C"
    on conflict on constraint inventory_counts_pkey do update
      set live_count = present.live_count + excluded.live_count,
        matched_count = present.matched_count + excluded.matched_count;
    return null;
  end
  $body$;

  create or replace function count_changed_resources() returns trigger language plpgsql as $body$
  begin
    insert into inventory_counts as present
      (org_id, cloud_account_id, provider, provider_type, normalized_type, region_key, live_count, matched_count)
    select org_id, cloud_account_id, provider, provider_type, normalized_type, region_key, sum(live), sum(matched)
    from (
      select org_id, cloud_account_id, provider, provider_type, normalized_type, coalesce(region, 'global') as region_key,
        1 as live, (iac_resource_id is not null)::integer as matched
      from new_rows where gone_at is null
      union all
      select org_id, cloud_account_id, provider, provider_type, normalized_type, coalesce(region, 'global'), -1,
        -(iac_resource_id is not null)::integer
      from old_rows where gone_at is null
    ) change
    group by org_id, cloud_account_id, provider, provider_type, normalized_type, region_key
    having sum(live) <> 0 or sum(matched) <> 0
    order by org_id, cloud_account_id, provider_type, normalized_type, region_key collate "C"
    on conflict on constraint inventory_counts_pkey do update
      set live_count = present.live_count + excluded.live_count,
        matched_count = present.matched_count + excluded.matched_count;
    return null;
  end
  $body$;

  create or replace function count_deleted_resources() returns trigger language plpgsql as $body$
  begin
    update inventory_counts c
    set live_count = c.live_count - d.live, matched_count = c.matched_count - d.matched
    from (
      select org_id, cloud_account_id, provider_type, normalized_type, coalesce(region, 'global') as region_key,
        count(*) as live, count(iac_resource_id) as matched
      from old_rows where gone_at is null
      group by org_id, cloud_account_id, provider_type, normalized_type, coalesce(region, 'global')
    ) d
    where c.org_id = d.org_id and c.cloud_account_id = d.cloud_account_id and c.provider_type = d.provider_type
      and c.normalized_type = d.normalized_type and c.region_key = d.region_key;
    return null;
  end
  $body$;
`;
