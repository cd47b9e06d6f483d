/**
 * Scans by cron expression. `schedules.next_run_at` is the next due time, with the delay of the schedule; null if it is
 * disabled or deleted, so that the index of due rows has no others. `interval_minutes` is the shortest interval of its
 * expression.
 *
 * `schedule_firings` has a row for each run; a due time fires once, because it is unique. `waiting_account_ids` are the
 * accounts whose scans wait for the organization's limit, and `try_at` is when they are looked at next. A run is settled
 * when all its scans have ended; that is when it counts as a success or a failure.
 */
export const up = /* sql */ `
  create table schedules (
    id uuid constraint schedules_pkey primary key,
    org_id uuid not null constraint schedules_org_fkey references orgs,
    name text not null,
    schedule text not null,
    cloud_account_id uuid,
    enabled boolean not null,
    filter_regions text[] not null,
    notify_chat_channel text,
    notify_webhook_config_ids uuid[] not null,
    interval_minutes integer not null,
    consecutive_failures integer not null default 0,
    disabled_reason text,
    last_error text,
    last_run_at timestamptz(3),
    next_run_at timestamptz(3),
    created_at timestamptz(3) not null,
    created_by uuid not null constraint schedules_created_by_fkey references users,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    constraint schedules_org_id_id_key unique (org_id, id),
    constraint schedules_account_fkey foreign key (org_id, cloud_account_id) references cloud_accounts (org_id, id),
    constraint schedules_next_run_at_check check ((next_run_at is not null) = (enabled and deleted_at is null)),
    constraint schedules_disabled_reason_check check (disabled_reason is null or not enabled),
    constraint schedules_interval_minutes_check check (interval_minutes > 0)
  ) with (fillfactor = 80);
  create index schedules_list_idx on schedules (org_id, created_at desc, id desc) where deleted_at is null;
  create index schedules_due_idx on schedules (next_run_at) include (org_id) where next_run_at is not null;
  create index schedules_org_due_idx on schedules (org_id, next_run_at) where next_run_at is not null;
  create index schedules_account_idx on schedules (org_id, cloud_account_id) where cloud_account_id is not null;
  create index schedules_created_by_idx on schedules (created_by);

  create table schedule_firings (
    id uuid constraint schedule_firings_pkey primary key,
    org_id uuid not null,
    schedule_id uuid not null,
    due_at timestamptz(3),
    fired_at timestamptz(3) not null,
    note text,
    waiting_account_ids uuid[] not null default '{}',
    try_at timestamptz(3),
    settled_at timestamptz(3),
    constraint schedule_firings_org_id_id_key unique (org_id, id),
    constraint schedule_firings_due_key unique (schedule_id, due_at),
    constraint schedule_firings_schedule_fkey foreign key (org_id, schedule_id) references schedules (org_id, id),
    constraint schedule_firings_waiting_check check ((try_at is not null) = (cardinality(waiting_account_ids) > 0)),
    constraint schedule_firings_settled_check check (settled_at is null or try_at is null)
  ) with (fillfactor = 80);
  create index schedule_firings_waiting_idx on schedule_firings (try_at) include (org_id) where try_at is not null;
  create index schedule_firings_org_waiting_idx on schedule_firings (org_id, try_at) where try_at is not null;
  create index schedule_firings_schedule_idx on schedule_firings (org_id, schedule_id);
  create index schedule_firings_fired_at_idx on schedule_firings (fired_at);

  alter table scan_runs add column schedule_id uuid;
  alter table scan_runs add column firing_id uuid;
  alter table scan_runs add constraint scan_runs_schedule_fkey
    foreign key (org_id, schedule_id) references schedules (org_id, id);
  alter table scan_runs add constraint scan_runs_firing_fkey
    foreign key (org_id, firing_id) references schedule_firings (org_id, id) on delete set null (firing_id);
  create index scan_runs_schedule_idx on scan_runs (org_id, schedule_id, created_at desc) where schedule_id is not null;
  create index scan_runs_active_schedule_idx on scan_runs (org_id, schedule_id)
    where schedule_id is not null and status in ('pending', 'running');
  create unique index scan_runs_firing_key on scan_runs (org_id, firing_id, cloud_account_id) where firing_id is not null;

  select protect_org_rows('schedules');
  select protect_org_rows('schedule_firings');
  grant select, insert, update on schedules, schedule_firings to app_rw;
  grant select (id, org_id, name, enabled, interval_minutes, next_run_at, created_at, deleted_at),
    update (enabled, disabled_reason, next_run_at, updated_at) on schedules to app_platform;
  grant select (org_id, try_at) on schedule_firings to app_platform;
  grant select, delete on schedule_firings to app_sweeper;
`;
