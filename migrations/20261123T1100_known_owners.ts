/**
 * The owners of accounts, domains and repositories that an organization's plans name, and which of them are its own.
 * Analyses suggest them; only confirmed ones count in verdicts.
 */
export const up = /* sql */ `
  create table known_owners (
    id uuid constraint known_owners_pkey primary key,
    org_id uuid not null constraint known_owners_org_id_fkey references orgs (id),
    owner text not null,
    kind text not null,
    status text not null,
    source text not null,
    note text,
    first_seen_at timestamptz(3),
    last_seen_at timestamptz(3),
    plans_seen integer not null default 0,
    decided_by uuid constraint known_owners_decided_by_fkey references users (id),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint known_owners_org_id_id_key unique (org_id, id),
    constraint known_owners_owner_key unique (org_id, owner),
    constraint known_owners_owner_check check (char_length(owner) between 1 and 500),
    constraint known_owners_kind_check check (kind in (
      'account', 'project', 'subscription', 'folder', 'organization', 'tenant', 'domain', 'repository_host', 'registry',
      'bucket', 'address')),
    constraint known_owners_status_check check (status in ('suggested', 'confirmed', 'dismissed')),
    constraint known_owners_source_check check (source in ('learned', 'added')),
    constraint known_owners_note_check check (char_length(note) between 1 and 500),
    constraint known_owners_plans_seen_check check (plans_seen >= 0)
  )
  -- Every analysis counts up to 200 rows: with room on their page, no index changes.
  with (fillfactor = 50);

  create index known_owners_list_idx on known_owners (org_id, created_at desc, id desc);
  create index known_owners_decided_by_idx on known_owners (decided_by);

  select protect_org_rows('known_owners');
  grant select, insert, delete,
    update (status, note, first_seen_at, last_seen_at, plans_seen, decided_by, updated_at) on known_owners to app_rw;

  alter table org_limits
    drop constraint org_limits_name_check,
    add constraint org_limits_name_check check (name in (
      'seats', 'schedules', 'schedule_interval', 'state_sources', 'cloud_accounts', 'concurrent_scans', 'custom_rules',
      'known_owners', 'api_keys', 'webhook_configs', 'llm_weekly', 'llm_hourly', 'analyses_hourly'));
`;
