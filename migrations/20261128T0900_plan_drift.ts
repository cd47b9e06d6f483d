/**
 * What drift says about the resources of plans.
 *
 * `id_key` finds the changed and missing items of a resource by its ID, whatever the number of items; see
 * `live_resources.id_key`. `plan_drift` has a row for each change of an analysis whose resource differed at that time.
 * `stable_key` is that of the item, so that later snapshots of the account say whether the difference still exists.
 */
export const up = /* sql */ `
  alter table drift_items add column id_key uuid
    generated always as (case when drift_type <> 'new' then to_id_key(provider_resource_id) end) stored;
  create index drift_items_id_key_idx on drift_items (org_id, id_key) where id_key is not null;

  create table plan_drift (
    org_id uuid not null,
    scan_run_id uuid not null,
    change_id text not null,
    address text not null,
    cloud_account_id uuid not null,
    drift_type text not null,
    stable_key bytea not null,
    first_detected_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    constraint plan_drift_pkey primary key (scan_run_id, change_id),
    constraint plan_drift_scan_run_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete cascade,
    constraint plan_drift_account_fkey foreign key (org_id, cloud_account_id) references cloud_accounts (org_id, id),
    constraint plan_drift_drift_type_check check (drift_type in ('changed', 'missing')),
    constraint plan_drift_stable_key_check check (octet_length(stable_key) = 32)
  );
  create index plan_drift_account_idx on plan_drift (org_id, cloud_account_id);

  select protect_org_rows('plan_drift');
  grant select, insert on plan_drift to app_rw;
`;
