/**
 * Host and API version before the path of a resource in Google Cloud, such as `https://www.googleapis.com/compute/v1/`.
 * It has no question mark, which would be a placeholder.
 */
const GOOGLE_HOST = '^(https{0,1}:){0,1}//[a-z0-9.-]*googleapis[.]com/(([a-z]+/){0,1}v[0-9][a-z0-9]*/){0,1}';

/**
 * What lists and totals of the inventory read.
 *
 * IDs can be longer than an index entry, so lists are ordered by their first 200 characters, and then by the row's own
 * ID. `id_key`, `alias_key` and `iac_key` are hashes for finding resources by their whole IDs, in any letter case and
 * without the host of Google Cloud's names: conditions on columns use an index under row-level security, conditions on
 * expressions do not.
 *
 * `inventory_counts` has the number of live resources of each type in each account. Triggers keep it equal to the rows,
 * whoever writes them, so that no total counts a million rows, and a deep page starts at the type that it shows.
 */
export const up = /* sql */ `
  create function to_id_key(id text) returns uuid language sql immutable strict parallel safe
    return md5(regexp_replace(lower(id collate "C"), '${GOOGLE_HOST}', ''))::uuid;

  alter table live_resources alter column provider_type type text collate "C";
  alter table live_resources
    add column order_key text collate "C" generated always as (left(provider_resource_id, 200)) stored,
    add column name_key text collate "C" generated always as (lower(left(name, 100) collate "C")) stored,
    add column id_key uuid generated always as (to_id_key(provider_resource_id)) stored,
    add column alias_key uuid generated always as
      (to_id_key(aliases[case provider when 'gcp' then cardinality(aliases) else 1 end])) stored,
    add column iac_key uuid generated always as (md5(iac_resource_id)::uuid) stored,
    add column enrich_claim uuid,
    add column enrich_claim_until timestamptz(3),
    add column enrich_tried_at timestamptz(3),
    add constraint live_resources_enrich_claim_check check ((enrich_claim is null) = (enrich_claim_until is null));

  drop index live_resources_list_idx;
  drop index live_resources_account_idx;
  create index live_resources_list_idx on live_resources (org_id, provider_type, order_key, id)
    include (cloud_account_id, iac_key) where gone_at is null;
  create index live_resources_account_idx on live_resources (org_id, cloud_account_id, provider_type, order_key, id)
    include (iac_key) where gone_at is null;
  create index live_resources_name_idx on live_resources (org_id, name_key) where gone_at is null and name is not null;
  create index live_resources_id_idx on live_resources (org_id, id_key) where gone_at is null;
  create index live_resources_alias_idx on live_resources (org_id, alias_key)
    where gone_at is null and alias_key is not null;
  create index live_resources_iac_idx on live_resources (org_id, iac_key) where iac_key is not null;

  create table inventory_counts (
    org_id uuid not null,
    cloud_account_id uuid not null,
    provider text not null,
    provider_type text collate "C" not null,
    normalized_type text not null,
    live_count integer not null,
    matched_count integer not null,
    constraint inventory_counts_pkey primary key (org_id, cloud_account_id, provider_type, normalized_type),
    constraint inventory_counts_account_fkey foreign key (org_id, cloud_account_id)
      references cloud_accounts (org_id, id)
  ) with (fillfactor = 50);

  create function count_new_resources() returns trigger language plpgsql as $body$
  begin
    insert into inventory_counts as present
    select org_id, cloud_account_id, provider, provider_type, normalized_type, count(*), count(iac_resource_id)
    from new_rows where gone_at is null
    group by org_id, cloud_account_id, provider, provider_type, normalized_type
    order by org_id, cloud_account_id, provider_type, normalized_type
    on conflict on constraint inventory_counts_pkey do update
      set live_count = present.live_count + excluded.live_count,
        matched_count = present.matched_count + excluded.matched_count;
    return null;
  end
  $body$;

  create function count_changed_resources() returns trigger language plpgsql as $body$
  begin
    insert into inventory_counts as present
    select org_id, cloud_account_id, provider, provider_type, normalized_type, sum(live), sum(matched)
    from (
      select org_id, cloud_account_id, provider, provider_type, normalized_type, 1 as live,
        (iac_resource_id is not null)::integer as matched
      from new_rows where gone_at is null
      union all
      select org_id, cloud_account_id, provider, provider_type, normalized_type, -1,
        -(iac_resource_id is not null)::integer
      from old_rows where gone_at is null
    ) change
    group by org_id, cloud_account_id, provider, provider_type, normalized_type
    having sum(live) <> 0 or sum(matched) <> 0
    order by org_id, cloud_account_id, provider_type, normalized_type
    on conflict on constraint inventory_counts_pkey do update
      set live_count = present.live_count + excluded.live_count,
        matched_count = present.matched_count + excluded.matched_count;
    return null;
  end
  $body$;

  create function count_deleted_resources() returns trigger language plpgsql as $body$
  begin
    update inventory_counts c
    set live_count = c.live_count - d.live, matched_count = c.matched_count - d.matched
    from (
      select org_id, cloud_account_id, provider_type, normalized_type, count(*) as live,
        count(iac_resource_id) as matched
      from old_rows where gone_at is null
      group by org_id, cloud_account_id, provider_type, normalized_type
    ) d
    where c.org_id = d.org_id and c.cloud_account_id = d.cloud_account_id and c.provider_type = d.provider_type
      and c.normalized_type = d.normalized_type;
    return null;
  end
  $body$;

  create trigger live_resources_counted_insert after insert on live_resources
    referencing new table as new_rows for each statement execute function count_new_resources();
  create trigger live_resources_counted_update after update on live_resources
    referencing old table as old_rows new table as new_rows for each statement
    execute function count_changed_resources();
  create trigger live_resources_counted_delete after delete on live_resources
    referencing old table as old_rows for each statement execute function count_deleted_resources();

  create table plan_links (
    org_id uuid not null,
    scan_run_id uuid not null,
    change_id text not null,
    live_resource_id uuid not null,
    address text not null,
    action text not null,
    risk_level text not null,
    matched_by text not null,
    created_at timestamptz(3) not null,
    constraint plan_links_pkey primary key (scan_run_id, change_id),
    constraint plan_links_scan_run_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete cascade,
    constraint plan_links_live_resource_fkey foreign key (org_id, live_resource_id)
      references live_resources (org_id, id) on delete cascade,
    constraint plan_links_matched_by_check check (matched_by in ('provider_id', 'address', 'importing'))
  );
  create index plan_links_list_idx on plan_links (org_id, live_resource_id, created_at desc, scan_run_id, change_id);

  select protect_org_rows('inventory_counts');
  select protect_org_rows('plan_links');
  grant select, insert, update on inventory_counts to app_rw, app_sweeper;
  grant select, insert on plan_links to app_rw;
`;
