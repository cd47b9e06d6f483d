/**
 * Notifications. `notification_events` has one row for each thing that happened, written in the transaction in which it
 * happened; a job decides its type and payload, and writes a delivery for each target. `notification_episodes` is what
 * is known about the drift of an account, and `notification_threads` a message at a target with the accounts that it is
 * about. `lease_until` lets one worker post or change a message at a time; `sent_revision` is the revision that the
 * posted message shows, and `posted_revision` the one with which people were last notified by a whole message. `mail_ct` is an email without an event, encrypted, until it was sent.
 */
export const up = /* sql */ `
  create table notification_targets (
    id uuid constraint notification_targets_pkey primary key,
    org_id uuid not null constraint notification_targets_org_id_fkey references orgs (id),
    kind text not null,
    label text,
    enabled boolean not null,
    min_level text not null,
    channel text,
    addresses text[] not null,
    url text,
    url_ct bytea,
    webhook_config_id uuid,
    created_by uuid not null constraint notification_targets_created_by_fkey references users (id),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    constraint notification_targets_org_key unique (org_id, id),
    constraint notification_targets_webhook_fkey foreign key (org_id, webhook_config_id)
      references webhook_configs (org_id, id),
    constraint notification_targets_kind_check check (kind in ('slack', 'teams', 'email', 'webhook')),
    constraint notification_targets_min_level_check check (min_level in ('none', 'low', 'medium', 'high', 'critical')),
    constraint notification_targets_place_check check (
      (channel is not null) = (kind = 'slack') and (url is not null) = (kind = 'teams')
      and (webhook_config_id is not null) = (kind = 'webhook') and (cardinality(addresses) > 0) = (kind = 'email')
      and (url_ct is not null) = (kind = 'teams' and deleted_at is null))
  );
  create index notification_targets_list_idx on notification_targets (org_id, created_at desc, id desc)
    where deleted_at is null;
  create index notification_targets_webhook_idx on notification_targets (org_id, webhook_config_id);
  create index notification_targets_created_by_idx on notification_targets (created_by);

  create table notification_events (
    id uuid constraint notification_events_pkey primary key,
    org_id uuid not null constraint notification_events_org_id_fkey references orgs (id),
    source text not null,
    source_id uuid not null,
    type text,
    data jsonb,
    created_at timestamptz(3) not null,
    decided_at timestamptz(3),
    constraint notification_events_org_key unique (org_id, id),
    constraint notification_events_source_key unique (org_id, source, source_id),
    constraint notification_events_source_check check (source in ('drift_snapshot', 'scan', 'analysis')),
    constraint notification_events_type_check check ((type is null) = (data is null))
  );
  create index notification_events_undecided_idx on notification_events (created_at) where decided_at is null;
  create index notification_events_created_idx on notification_events (created_at);

  create table notification_episodes (
    org_id uuid not null,
    cloud_account_id uuid not null,
    opened_at timestamptz(3),
    risk_level text not null,
    observed_at timestamptz(3),
    items_id uuid,
    gaps jsonb not null,
    failing_since timestamptz(3),
    constraint notification_episodes_pkey primary key (org_id, cloud_account_id),
    constraint notification_episodes_account_fkey foreign key (org_id, cloud_account_id)
      references cloud_accounts (org_id, id)
  );

  create table notification_pull_requests (
    org_id uuid not null constraint notification_pull_requests_org_id_fkey references orgs (id),
    repo text not null,
    pr_number integer not null,
    risk_level text not null,
    updated_at timestamptz(3) not null,
    constraint notification_pull_requests_pkey primary key (org_id, repo, pr_number)
  );
  create index notification_pull_requests_updated_idx on notification_pull_requests (updated_at);

  create table notification_threads (
    id uuid constraint notification_threads_pkey primary key,
    org_id uuid not null constraint notification_threads_org_id_fkey references orgs (id),
    route_key text not null,
    opened_at timestamptz(3) not null,
    resolved_at timestamptz(3),
    accounts jsonb not null,
    revision integer not null,
    sent_revision integer,
    posted_revision integer,
    ref jsonb,
    lease_until timestamptz(3),
    constraint notification_threads_org_key unique (org_id, id)
  );
  create index notification_threads_open_idx on notification_threads (org_id, route_key, opened_at desc)
    where resolved_at is null;
  create index notification_threads_resolved_idx on notification_threads (resolved_at) where resolved_at is not null;

  create table notification_deliveries (
    id uuid constraint notification_deliveries_pkey primary key,
    org_id uuid not null,
    event_id uuid,
    event text not null,
    action text not null,
    thread_id uuid,
    revision integer,
    cloud_account_id uuid,
    target_id uuid,
    target_kind text not null,
    channel text,
    mail_ct bytea,
    status text not null,
    http_status integer,
    attempts integer not null default 0,
    next_attempt_at timestamptz(3),
    duration_ms integer,
    error text,
    created_at timestamptz(3) not null,
    finished_at timestamptz(3),
    constraint notification_deliveries_org_key unique (org_id, id),
    constraint notification_deliveries_event_fkey foreign key (org_id, event_id)
      references notification_events (org_id, id) on delete cascade,
    constraint notification_deliveries_thread_fkey foreign key (org_id, thread_id)
      references notification_threads (org_id, id) on delete cascade,
    constraint notification_deliveries_target_fkey foreign key (org_id, target_id)
      references notification_targets (org_id, id),
    constraint notification_deliveries_action_check
      check (action in ('open', 'update', 'alert', 'resolve', 'notice')),
    constraint notification_deliveries_thread_check check ((thread_id is null) = (action = 'notice')),
    constraint notification_deliveries_status_check check (status in ('pending', 'delivered', 'failed')),
    constraint notification_deliveries_pending_check check ((status = 'pending') = (next_attempt_at is not null)),
    constraint notification_deliveries_mail_check check (mail_ct is null or target_kind = 'email'),
    constraint notification_deliveries_finished_check check ((status = 'pending') = (finished_at is null))
  );
  create index notification_deliveries_list_idx on notification_deliveries (org_id, created_at desc, id desc);
  create index notification_deliveries_target_idx
    on notification_deliveries (org_id, target_id, created_at desc, id desc);
  create index notification_deliveries_due_idx on notification_deliveries (next_attempt_at) where status = 'pending';
  create index notification_deliveries_event_idx on notification_deliveries (org_id, event_id);
  create index notification_deliveries_thread_idx on notification_deliveries (org_id, thread_id);
  create index notification_deliveries_created_idx on notification_deliveries (created_at);

  select protect_org_rows('notification_targets');
  select protect_org_rows('notification_events');
  select protect_org_rows('notification_episodes');
  select protect_org_rows('notification_pull_requests');
  select protect_org_rows('notification_threads');
  select protect_org_rows('notification_deliveries');
  grant select, insert, update on notification_targets, notification_events, notification_episodes,
    notification_pull_requests, notification_threads, notification_deliveries to app_rw;
  grant select (id, org_id, created_at, decided_at) on notification_events to app_platform;
  grant select (id, org_id, status, next_attempt_at) on notification_deliveries to app_platform;
  grant select, delete on notification_events, notification_pull_requests, notification_threads,
    notification_deliveries to app_sweeper;
`;
