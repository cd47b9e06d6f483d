/**
 * Where states are stored, the copies that were fetched, and the globs that register many sources at once. A location is
 * compared by its keyed hash, because the location itself is encrypted. `claim` and `claim_until` say which process
 * fetches a source or rescans a glob right now.
 *
 * A refresh of all sources of a glob is a row with one item per source; a job settles one item, and the last one
 * finishes the refresh.
 */
export const up = /* sql */ `
  create table state_source_globs (
    id uuid constraint state_source_globs_pkey primary key,
    org_id uuid not null constraint state_source_globs_org_id_fkey references orgs (id),
    cloud_account_id uuid not null,
    provider text not null,
    bucket text not null,
    prefix text not null,
    region text,
    storage_account text,
    display_name text not null,
    created_at timestamptz(3) not null,
    last_rescan_at timestamptz(3),
    last_rescan_severity text,
    last_rescan_failure text,
    last_rescan_truncated boolean not null default false,
    last_rescan_missing integer not null default 0,
    claim uuid,
    claim_until timestamptz(3),
    deleted_at timestamptz(3),
    constraint state_source_globs_org_id_id_key unique (org_id, id),
    constraint state_source_globs_provider_check check (provider in ('aws', 'azure', 'gcp')),
    constraint state_source_globs_prefix_check check (char_length(prefix) <= 512),
    constraint state_source_globs_severity_check check (last_rescan_severity in ('info', 'warning', 'error'))
  );

  create unique index state_source_globs_place_key
    on state_source_globs (org_id, provider, coalesce(storage_account, ''), bucket, prefix) where deleted_at is null;
  create index state_source_globs_list_idx
    on state_source_globs (org_id, created_at desc, id desc) where deleted_at is null;

  create table state_sources (
    id uuid constraint state_sources_pkey primary key,
    org_id uuid not null constraint state_sources_org_id_fkey references orgs (id),
    cloud_account_id uuid,
    kind text not null,
    display_name text not null,
    config_ct bytea not null,
    location_key bytea not null,
    workspaces text[] not null default '{default}',
    parent_glob_id uuid,
    latest_snapshot_id uuid,
    last_fetched_at timestamptz(3),
    last_fetch_error text,
    missing_since timestamptz(3),
    created_at timestamptz(3) not null,
    claim uuid,
    claim_until timestamptz(3),
    deleted_at timestamptz(3),
    constraint state_sources_org_id_id_key unique (org_id, id),
    constraint state_sources_glob_fkey foreign key (org_id, parent_glob_id) references state_source_globs (org_id, id),
    constraint state_sources_kind_check check (kind in ('gcs', 's3', 'azure_blob', 'tfc', 'upload'))
  ) with (fillfactor = 85);

  create unique index state_sources_location_key
    on state_sources (org_id, kind, location_key) where deleted_at is null;
  create index state_sources_list_idx on state_sources (org_id, display_name collate "C", id) where deleted_at is null;
  create index state_sources_glob_idx on state_sources (org_id, parent_glob_id);
  create index state_sources_account_idx on state_sources (org_id, cloud_account_id);

  create table state_snapshots (
    id uuid constraint state_snapshots_pkey primary key,
    org_id uuid not null constraint state_snapshots_org_id_fkey references orgs (id),
    source_id uuid not null,
    content_hash text not null,
    blob_key text not null constraint state_snapshots_blob_key_key unique,
    resource_count integer not null,
    parse_failure_count integer not null,
    serial bigint,
    lineage text,
    terraform_version text,
    fetched_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    constraint state_snapshots_org_id_id_key unique (org_id, id),
    constraint state_snapshots_source_fkey foreign key (org_id, source_id) references state_sources (org_id, id),
    constraint state_snapshots_content_key unique (org_id, source_id, content_hash),
    constraint state_snapshots_content_hash_check check (content_hash ~ '^[0-9a-f]{64}$'),
    constraint state_snapshots_counts_check check (least(resource_count, parse_failure_count) >= 0)
  );
  create index state_snapshots_fetched_idx on state_snapshots (source_id, fetched_at desc, id desc);

  alter table state_sources add constraint state_sources_latest_snapshot_fkey
    foreign key (org_id, latest_snapshot_id) references state_snapshots (org_id, id);
  create index state_sources_latest_snapshot_idx on state_sources (org_id, latest_snapshot_id);

  create table state_glob_refreshes (
    id uuid constraint state_glob_refreshes_pkey primary key,
    org_id uuid not null constraint state_glob_refreshes_org_id_fkey references orgs (id),
    glob_id uuid not null,
    queued integer not null,
    refreshed integer not null default 0,
    unchanged integer not null default 0,
    failed integer not null default 0,
    created_at timestamptz(3) not null,
    finished_at timestamptz(3),
    constraint state_glob_refreshes_org_id_id_key unique (org_id, id),
    constraint state_glob_refreshes_glob_fkey foreign key (org_id, glob_id) references state_source_globs (org_id, id),
    constraint state_glob_refreshes_counts_check check (refreshed + unchanged + failed <= queued)
  );
  create index state_glob_refreshes_glob_idx on state_glob_refreshes (org_id, glob_id);
  create index state_glob_refreshes_created_idx on state_glob_refreshes (created_at);

  create table state_glob_refresh_items (
    id uuid constraint state_glob_refresh_items_pkey primary key,
    org_id uuid not null constraint state_glob_refresh_items_org_id_fkey references orgs (id),
    refresh_id uuid not null,
    source_id uuid not null,
    outcome text,
    attempts integer not null default 0,
    due_at timestamptz(3) not null,
    constraint state_glob_refresh_items_refresh_fkey foreign key (org_id, refresh_id)
      references state_glob_refreshes (org_id, id) on delete cascade,
    constraint state_glob_refresh_items_source_fkey foreign key (org_id, source_id) references state_sources (org_id, id),
    constraint state_glob_refresh_items_outcome_check check (outcome in ('refreshed', 'unchanged', 'failed'))
  );
  create index state_glob_refresh_items_refresh_idx on state_glob_refresh_items (org_id, refresh_id);
  create index state_glob_refresh_items_source_idx on state_glob_refresh_items (org_id, source_id);
  create index state_glob_refresh_items_due_idx on state_glob_refresh_items (due_at) where outcome is null;

  select protect_org_rows('state_source_globs');
  select protect_org_rows('state_sources');
  select protect_org_rows('state_snapshots');
  select protect_org_rows('state_glob_refreshes');
  select protect_org_rows('state_glob_refresh_items');

  grant select, insert, update on state_source_globs, state_sources, state_snapshots, state_glob_refreshes,
    state_glob_refresh_items to app_rw;
  grant select (id, org_id, outcome, due_at) on state_glob_refresh_items to app_platform;
  grant select (id, latest_snapshot_id, deleted_at) on state_sources to app_sweeper;
  grant select, delete on state_snapshots, state_glob_refreshes to app_sweeper;
`;
