/**
 * Drift of cloud accounts. A snapshot refers to a set of items: a computation that finds exactly what the last one of
 * the account found writes a snapshot and no items. Items of a set never change; `position` is their order in lists, so
 * a deep page is a range of the primary key. A new set takes `first_detected_at` from the account's previous set by
 * `stable_key`, the SHA-256 of what identifies the difference over time.
 *
 * `drift_computations` has a row for each scan whose drift is being computed, so that one process computes it.
 */
export const up = /* sql */ `
  create table drift_item_sets (
    id uuid constraint drift_item_sets_pkey primary key,
    org_id uuid not null,
    cloud_account_id uuid not null,
    content_hash bytea not null,
    item_count integer not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3) not null,
    constraint drift_item_sets_org_id_id_key unique (org_id, id),
    constraint drift_item_sets_account_fkey foreign key (org_id, cloud_account_id)
      references cloud_accounts (org_id, id),
    constraint drift_item_sets_content_hash_check check (octet_length(content_hash) = 32)
  );
  create index drift_item_sets_account_idx on drift_item_sets (org_id, cloud_account_id);
  create index drift_item_sets_last_used_idx on drift_item_sets (last_used_at);

  create table drift_items (
    items_id uuid not null,
    position integer not null,
    org_id uuid not null,
    id uuid not null,
    stable_key bytea not null,
    drift_type text not null,
    first_detected_at timestamptz(3) not null,
    resource_address text,
    resource_type text,
    provider_type text,
    normalized_type text not null,
    provider_resource_id text,
    live_resource_id uuid,
    region text,
    name text,
    tags jsonb not null,
    state_source_id uuid,
    categories text[] not null,
    certainty text not null,
    level text not null,
    level_rank smallint not null,
    reasons jsonb not null,
    attributes jsonb not null,
    attributes_total integer not null,
    suppressed boolean not null,
    ignore_rule_id uuid,
    import_block text,
    console_url text,
    constraint drift_items_pkey primary key (items_id, position),
    constraint drift_items_set_fkey foreign key (org_id, items_id) references drift_item_sets (org_id, id)
      on delete cascade,
    constraint drift_items_drift_type_check check (drift_type in ('changed', 'missing', 'new')),
    constraint drift_items_certainty_check check (certainty in ('confirmed', 'potential')),
    constraint drift_items_level_check check (level in ('none', 'low', 'medium', 'high', 'critical')),
    constraint drift_items_stable_key_check check (octet_length(stable_key) = 32)
  );
  create index drift_items_set_idx on drift_items (org_id, items_id);
  create index drift_items_stable_key_idx on drift_items (items_id, stable_key);
  create index drift_items_level_idx on drift_items (items_id, level_rank, position);
  create index drift_items_address_idx on drift_items (items_id, left(resource_address, 200) text_pattern_ops, position);

  create table drift_snapshots (
    id uuid constraint drift_snapshots_pkey primary key,
    org_id uuid not null,
    scan_run_id uuid not null,
    cloud_account_id uuid not null,
    items_id uuid,
    created_at timestamptz(3) not null,
    drift_status text not null,
    changed_count integer not null,
    extra_count integer not null,
    matched_count integer not null,
    missing_count integer not null,
    parse_failure_count integer not null,
    not_checked_count integer not null,
    excluded_count integer not null,
    ignored_count integer not null,
    total_iac integer not null,
    total_live integer not null,
    coverage_pct numeric(4, 1) not null,
    risk_level text not null,
    narrative text,
    narrative_status text not null,
    skip_reason text,
    notes jsonb not null,
    constraint drift_snapshots_org_id_id_key unique (org_id, id),
    constraint drift_snapshots_scan_run_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete cascade,
    constraint drift_snapshots_account_fkey foreign key (org_id, cloud_account_id)
      references cloud_accounts (org_id, id),
    constraint drift_snapshots_items_fkey foreign key (org_id, items_id) references drift_item_sets (org_id, id)
      on delete set null (items_id),
    constraint drift_snapshots_drift_status_check check (drift_status in ('in_sync', 'drifted', 'incomplete')),
    constraint drift_snapshots_risk_level_check check (risk_level in ('none', 'low', 'medium', 'high', 'critical')),
    constraint drift_snapshots_narrative_status_check
      check (narrative_status in ('none', 'pending', 'ready', 'fallback', 'skipped', 'failed')),
    constraint drift_snapshots_notes_check check (jsonb_typeof(notes) = 'array')
  );
  create index drift_snapshots_scan_idx on drift_snapshots (org_id, scan_run_id, created_at desc, id desc);
  create index drift_snapshots_account_idx on drift_snapshots (org_id, cloud_account_id, created_at desc, id desc);
  create index drift_snapshots_items_idx on drift_snapshots (org_id, items_id);
  create index drift_snapshots_created_idx on drift_snapshots (created_at);

  create table drift_computations (
    org_id uuid not null,
    scan_run_id uuid not null,
    claim uuid not null,
    claim_until timestamptz(3) not null,
    constraint drift_computations_pkey primary key (org_id, scan_run_id),
    constraint drift_computations_scan_run_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete cascade
  );

  create table drift_ignore_rules (
    id uuid constraint drift_ignore_rules_pkey primary key,
    org_id uuid not null constraint drift_ignore_rules_org_fkey references orgs,
    drift_types text[] not null,
    resource_type text,
    address text,
    provider_resource_id text,
    attribute text,
    tag_key text,
    tag_value text,
    reason text not null,
    expires_at timestamptz(3),
    created_by uuid not null constraint drift_ignore_rules_created_by_fkey references users,
    created_at timestamptz(3) not null,
    constraint drift_ignore_rules_drift_types_check check (drift_types <@ array['changed', 'missing', 'new']),
    constraint drift_ignore_rules_condition_check
      check (num_nonnulls(resource_type, address, provider_resource_id, attribute, tag_key) > 0),
    constraint drift_ignore_rules_tag_check check (tag_value is null or tag_key is not null)
  );
  create index drift_ignore_rules_list_idx on drift_ignore_rules (org_id, created_at desc, id desc);
  create index drift_ignore_rules_created_by_idx on drift_ignore_rules (created_by);
  create index drift_ignore_rules_expires_idx on drift_ignore_rules (expires_at) where expires_at is not null;

  select protect_org_rows('drift_item_sets');
  select protect_org_rows('drift_items');
  select protect_org_rows('drift_snapshots');
  select protect_org_rows('drift_computations');
  select protect_org_rows('drift_ignore_rules');
  grant select, insert, update on drift_item_sets to app_rw;
  grant select, insert on drift_items to app_rw;
  grant select, insert, update on drift_snapshots to app_rw;
  grant select, insert, update, delete on drift_computations to app_rw;
  grant select, insert, delete on drift_ignore_rules to app_rw;
  grant select, delete on drift_item_sets, drift_items, drift_snapshots, drift_ignore_rules to app_sweeper;
`;
