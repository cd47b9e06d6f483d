/**
 * Language models: the accounts of organizations, their usage of the platform's models, and the circuit breakers of
 * failing accounts. A reservation is stored with its job, so that it is released only once.
 */
export const up = /* sql */ `
  create table llm_configs (
    org_id uuid constraint llm_configs_pkey primary key constraint llm_configs_org_id_fkey references orgs (id),
    provider text not null,
    config_ct bytea not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    last_validated_at timestamptz(3),
    constraint llm_configs_provider_check
      check (provider in ('anthropic', 'openai', 'bedrock', 'gemini', 'azure_openai'))
  );
  select protect_org_rows('llm_configs');
  grant select, insert, update, delete on llm_configs to app_rw;

  create table llm_validations (
    id uuid constraint llm_validations_pkey primary key,
    org_id uuid not null constraint llm_validations_org_id_fkey references orgs (id),
    created_at timestamptz(3) not null
  );
  create index llm_validations_org_idx on llm_validations (org_id, created_at desc);
  create index llm_validations_created_idx on llm_validations (created_at);
  select protect_org_rows('llm_validations');
  grant select, insert on llm_validations to app_rw;
  grant select, delete on llm_validations to app_sweeper;

  create table llm_breakers (
    org_id uuid not null constraint llm_breakers_org_id_fkey references orgs (id),
    provider text not null,
    failed_at timestamptz(3)[] not null default '{}',
    open_until timestamptz(3),
    open_ms integer,
    probe_until timestamptz(3),
    constraint llm_breakers_pkey primary key (org_id, provider),
    constraint llm_breakers_open_check check ((open_until is null) = (open_ms is null))
  );
  select protect_org_rows('llm_breakers');
  grant select, insert, update, delete on llm_breakers to app_rw;

  create table llm_quota_buckets (
    org_id uuid not null constraint llm_quota_buckets_org_id_fkey references orgs (id),
    kind text not null,
    window_start timestamptz(3) not null,
    used integer not null,
    constraint llm_quota_buckets_pkey primary key (org_id, kind, window_start),
    constraint llm_quota_buckets_kind_check check (kind in ('weekly', 'hourly')),
    constraint llm_quota_buckets_used_check check (used >= 0)
  ) with (fillfactor = 85);
  create index llm_quota_buckets_window_idx on llm_quota_buckets (window_start);
  select protect_org_rows('llm_quota_buckets');
  grant select, insert, update (used) on llm_quota_buckets to app_rw;
  grant select, delete on llm_quota_buckets to app_sweeper;

  -- For encrypting it again with another master key.
  grant update (noise_key_ct) on orgs to app_rw;

  alter table llm_jobs
    add column reservation text,
    add column reserved_week timestamptz(3),
    add column reserved_hour timestamptz(3),
    add constraint llm_jobs_reservation_check check (reservation in ('held', 'released', 'settled')),
    add constraint llm_jobs_reserved_check
      check (num_nonnulls(reservation, reserved_week, reserved_hour) in (0, 3));
  create index llm_jobs_held_idx on llm_jobs (finished_at) where reservation = 'held';
`;
