/**
 * What scans find, and how far they have come. `live_resources` has one row for each resource of a cloud account;
 * `resource_key` is the SHA-256 of its type, region and ID, because IDs can be longer than an index entry. A resource is
 * gone when a scan read the part of the account where it was found to its end without seeing it.
 *
 * `attempts` of a run is the fence of its worker, and `idle_attempts` counts attempts in a row that read nothing.
 * `read_regions` is what the running scan reads; empty for all regions.
 *
 * `scan_parts` is the progress of a running scan: which parts of the account it reads, and the page that comes next. Its
 * rows are deleted when the scan ends. `inventory_parts` is what stays: for each part of an account, when it was last
 * read to its end, or why it was not; a part that was read before has both if the last scan could not read it.
 */
export const up = /* sql */ `
  alter table scan_runs add column attempts integer not null default 0;
  alter table scan_runs add column idle_attempts smallint not null default 0;
  alter table scan_runs add column progress_at_claim integer not null default 0;
  alter table scan_runs add column queued_at timestamptz(3);
  alter table scan_runs add column bulk_id uuid;
  alter table scan_runs add column filter_regions text[] not null default '{}';
  alter table scan_runs add column read_regions text[];
  alter table scan_runs add constraint scan_runs_cloud_account_fkey
    foreign key (org_id, cloud_account_id) references cloud_accounts (org_id, id);
  create index scan_runs_bulk_idx on scan_runs (org_id, created_at desc) where bulk_id is not null;
  grant select (id, org_id, kind, status, created_at, started_at, heartbeat_at, queued_at) on scan_runs to app_platform;

  create table scan_parts (
    org_id uuid not null,
    scan_run_id uuid not null,
    part_key text not null,
    service text not null,
    region text,
    provider_type text,
    place integer not null,
    by_region boolean not null,
    cursor text,
    status text not null default 'pending',
    page_count integer not null default 0,
    resource_count integer not null default 0,
    faults jsonb not null default '[]',
    constraint scan_parts_pkey primary key (scan_run_id, part_key),
    constraint scan_parts_scan_run_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete cascade,
    constraint scan_parts_status_check check (status in ('pending', 'done', 'failed')),
    constraint scan_parts_faults_check check (jsonb_typeof(faults) = 'array')
  ) with (fillfactor = 70);

  create table inventory_parts (
    org_id uuid not null,
    cloud_account_id uuid not null,
    part_key text not null,
    service text not null,
    region text,
    provider_type text,
    checked_at timestamptz(3),
    resource_count integer,
    tried_at timestamptz(3) not null,
    tried_by uuid not null,
    code text,
    message text,
    permission text,
    retryable boolean,
    constraint inventory_parts_pkey primary key (org_id, cloud_account_id, part_key),
    constraint inventory_parts_account_fkey foreign key (org_id, cloud_account_id)
      references cloud_accounts (org_id, id),
    constraint inventory_parts_reason_check check ((code is null) = (message is null)),
    constraint inventory_parts_checked_check check (checked_at is not null or code is not null)
  ) with (fillfactor = 85);

  create table live_resources (
    id uuid constraint live_resources_pkey primary key,
    org_id uuid not null,
    cloud_account_id uuid not null,
    resource_key bytea not null,
    part_key text not null,
    provider text not null,
    provider_type text not null,
    provider_resource_id text not null,
    normalized_type text not null,
    risk_categories text[] not null,
    region text,
    name text,
    tags jsonb not null,
    aliases text[] not null,
    iac_resource_id text,
    listed_ct bytea,
    listed_hash bytea,
    enrichment_status text not null default 'none',
    enrichment_failure_reason text,
    enriched_at timestamptz(3),
    properties_ct bytea,
    first_seen_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    last_scan_id uuid not null,
    gone_at timestamptz(3),
    unseen_scans smallint not null default 0,
    constraint live_resources_org_id_id_key unique (org_id, id),
    constraint live_resources_resource_key unique (org_id, cloud_account_id, resource_key),
    constraint live_resources_account_fkey foreign key (org_id, cloud_account_id) references cloud_accounts (org_id, id),
    constraint live_resources_provider_check check (provider in ('aws', 'gcp', 'azure')),
    constraint live_resources_resource_key_check check (octet_length(resource_key) = 32),
    constraint live_resources_enrichment_check check (enrichment_status in ('none', 'enriched', 'failed', 'n/a')),
    constraint live_resources_gone_check check ((gone_at is null) = (unseen_scans = 0))
  ) with (fillfactor = 85);

  create index live_resources_list_idx on live_resources (org_id, id) where gone_at is null;
  create index live_resources_account_idx on live_resources (org_id, cloud_account_id, id) where gone_at is null;
  create index live_resources_part_idx on live_resources (org_id, cloud_account_id, part_key);
  create index live_resources_gone_idx on live_resources (gone_at) where gone_at is not null;

  select protect_org_rows('scan_parts');
  select protect_org_rows('inventory_parts');
  select protect_org_rows('live_resources');
  grant select, insert, update, delete on scan_parts, inventory_parts to app_rw;
  grant select, insert, update on live_resources to app_rw;
  grant select, delete on live_resources, inventory_parts, scan_parts to app_sweeper;
  grant select (org_id, id, deleted_at) on cloud_accounts to app_sweeper;
`;
