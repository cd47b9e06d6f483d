/**
 * Source control: repositories connected by a webhook, installations of the GitHub App, and their deliveries. A link of
 * an installation uses a one-time state that identifies the person; only its hash is stored.
 *
 * A delivery id is unique within its source, so that nobody can suppress another source's delivery by guessing its id.
 */
export const up = /* sql */ `
  alter table api_keys add constraint api_keys_org_key unique (org_id, id);

  create table webhook_configs (
    id uuid constraint webhook_configs_pkey primary key,
    org_id uuid not null constraint webhook_configs_org_id_fkey references orgs (id),
    provider text not null,
    repo_path text,
    provider_base_url text not null,
    label text,
    enabled boolean not null default true,
    secret_prefix text not null,
    secret_ct bytea not null,
    prev_secret_ct bytea,
    prev_secret_until timestamptz(3),
    api_token_ct bytea,
    api_token_prefix text,
    api_token_status text,
    api_token_expires_at timestamptz(3),
    api_token_checked_at timestamptz(3),
    api_user_id text,
    api_key_id uuid,
    api_key_ct bytea,
    failed_streak integer not null default 0,
    created_by uuid not null constraint webhook_configs_created_by_fkey references users (id),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    constraint webhook_configs_org_key unique (org_id, id),
    constraint webhook_configs_provider_check check (provider in ('github', 'gitlab', 'generic')),
    constraint webhook_configs_repo_path_check check ((repo_path is null) = (provider = 'generic')),
    constraint webhook_configs_api_token_check
      check (num_nonnulls(api_token_ct, api_token_prefix, api_token_status) in (0, 3)),
    constraint webhook_configs_api_token_status_check
      check (api_token_status in ('active', 'expired', 'invalid', 'insufficient_scope')),
    constraint webhook_configs_prev_secret_check check ((prev_secret_ct is null) = (prev_secret_until is null)),
    constraint webhook_configs_api_key_check check (api_key_id is null or api_key_ct is not null),
    constraint webhook_configs_api_key_id_fkey
      foreign key (org_id, api_key_id) references api_keys (org_id, id) on delete set null (api_key_id)
  );
  create unique index webhook_configs_repo_key
    on webhook_configs (org_id, provider, provider_base_url, repo_path) nulls not distinct where deleted_at is null;
  create index webhook_configs_list_idx on webhook_configs (org_id, created_at desc, id desc) where deleted_at is null;
  create index webhook_configs_api_key_idx on webhook_configs (org_id, api_key_id);
  create index webhook_configs_created_by_idx on webhook_configs (created_by);
  create index webhook_configs_token_idx on webhook_configs (api_token_checked_at)
    where deleted_at is null and api_token_ct is not null;
  select protect_org_rows('webhook_configs');
  grant select, insert, update on webhook_configs to app_rw;
  grant select (id, org_id, provider, enabled, deleted_at, api_token_ct, api_token_checked_at) on webhook_configs
    to app_platform;

  create table scm_installations (
    id uuid constraint scm_installations_pkey primary key,
    org_id uuid not null constraint scm_installations_org_id_fkey references orgs (id),
    provider text not null,
    installation_id bigint not null,
    account_login text not null,
    account_type text not null,
    account_avatar_url text,
    repository_selection text not null,
    permissions jsonb not null,
    status text not null,
    html_url text not null,
    linked_by uuid not null constraint scm_installations_linked_by_fkey references users (id),
    api_key_id uuid,
    api_key_ct bytea,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    constraint scm_installations_org_key unique (org_id, id),
    constraint scm_installations_provider_check check (provider = 'github'),
    constraint scm_installations_account_type_check check (account_type in ('User', 'Organization')),
    constraint scm_installations_selection_check check (repository_selection in ('all', 'selected')),
    constraint scm_installations_status_check check (status in ('active', 'suspended', 'removed')),
    constraint scm_installations_api_key_check check (api_key_id is null or api_key_ct is not null),
    constraint scm_installations_api_key_id_fkey
      foreign key (org_id, api_key_id) references api_keys (org_id, id) on delete set null (api_key_id)
  );
  create unique index scm_installations_installation_key on scm_installations (provider, installation_id)
    where deleted_at is null;
  create index scm_installations_list_idx on scm_installations (org_id, created_at desc, id desc)
    where deleted_at is null;
  create index scm_installations_api_key_idx on scm_installations (org_id, api_key_id);
  create index scm_installations_linked_by_idx on scm_installations (linked_by);
  select protect_org_rows('scm_installations');
  grant select, insert, update on scm_installations to app_rw;
  grant select (id, org_id, provider, installation_id, status, deleted_at) on scm_installations to app_platform;

  create table oauth_states (
    nonce_hash bytea constraint oauth_states_pkey primary key,
    org_id uuid not null constraint oauth_states_org_id_fkey references orgs (id),
    purpose text not null,
    user_id uuid not null constraint oauth_states_user_id_fkey references users (id),
    status text not null default 'issued',
    account_login text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    constraint oauth_states_nonce_hash_check check (octet_length(nonce_hash) = 32),
    constraint oauth_states_purpose_check check (purpose in ('scm', 'chat')),
    constraint oauth_states_status_check check (status in ('issued', 'pending', 'used'))
  );
  create index oauth_states_org_idx on oauth_states (org_id);
  create index oauth_states_user_idx on oauth_states (user_id);
  create index oauth_states_expires_idx on oauth_states (expires_at);
  select protect_org_rows('oauth_states');
  grant select, insert, update (status, account_login, expires_at) on oauth_states to app_rw;
  grant select on oauth_states to app_platform;
  grant select, delete on oauth_states to app_sweeper;

  create table webhook_deliveries (
    id uuid constraint webhook_deliveries_pkey primary key,
    org_id uuid not null constraint webhook_deliveries_org_id_fkey references orgs (id),
    config_id uuid,
    installation_row_id uuid,
    direction text not null,
    provider_delivery_id text not null,
    event text not null,
    status text not null,
    http_status integer,
    attempts integer not null default 0,
    next_attempt_at timestamptz(3),
    duration_ms integer,
    error text,
    payload_ct bytea,
    created_at timestamptz(3) not null,
    finished_at timestamptz(3),
    constraint webhook_deliveries_source_check check (num_nonnulls(config_id, installation_row_id) = 1),
    constraint webhook_deliveries_direction_check check (direction in ('in', 'out')),
    constraint webhook_deliveries_status_check
      check (status in ('accepted', 'ignored', 'delivered', 'failed', 'pending')),
    constraint webhook_deliveries_delivery_key unique nulls not distinct
      (org_id, config_id, installation_row_id, provider_delivery_id),
    constraint webhook_deliveries_config_fkey foreign key (org_id, config_id) references webhook_configs (org_id, id),
    constraint webhook_deliveries_installation_fkey
      foreign key (org_id, installation_row_id) references scm_installations (org_id, id)
  );
  create index webhook_deliveries_config_idx on webhook_deliveries (org_id, config_id, created_at desc, id desc);
  create index webhook_deliveries_installation_idx
    on webhook_deliveries (org_id, installation_row_id, created_at desc, id desc);
  create index webhook_deliveries_created_idx on webhook_deliveries (created_at);
  create index webhook_deliveries_waiting_idx on webhook_deliveries (next_attempt_at) where next_attempt_at is not null;
  select protect_org_rows('webhook_deliveries');
  grant select, insert, update on webhook_deliveries to app_rw;
  grant select (id, org_id, next_attempt_at, status) on webhook_deliveries to app_platform;
  grant select, delete on webhook_deliveries to app_sweeper;
`;
