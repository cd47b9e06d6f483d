/**
 * Pull requests that the bot comments on, the plans from their CI runs, and the published comment and check. A pull
 * request is processed by one process at a time: `wanted` counts its events, and `seen` is the count that the process
 * with the lease has published.
 */
export const up = /* sql */ `
  create table pull_requests (
    id uuid constraint pull_requests_pkey primary key,
    org_id uuid not null constraint pull_requests_org_id_fkey references orgs (id),
    config_id uuid,
    installation_row_id uuid,
    repo text not null,
    pr_number integer not null,
    url text not null,
    state text not null,
    is_fork boolean not null,
    is_quiet boolean not null default false,
    branch text,
    head_sha text not null,
    head_changed_at timestamptz(3) not null,
    wanted integer not null default 0,
    seen integer not null default 0,
    lease_token uuid,
    lease_until timestamptz(3),
    wake_at timestamptz(3),
    comment_id text,
    check_id text,
    check_sha text,
    told jsonb,
    answers jsonb not null default '[]',
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint pull_requests_org_key unique (org_id, id),
    constraint pull_requests_source_check check (num_nonnulls(config_id, installation_row_id) = 1),
    constraint pull_requests_number_key unique nulls not distinct
      (org_id, config_id, installation_row_id, repo, pr_number),
    constraint pull_requests_state_check check (state in ('open', 'closed', 'merged')),
    constraint pull_requests_lease_check check ((lease_token is null) = (lease_until is null)),
    constraint pull_requests_config_fkey foreign key (org_id, config_id) references webhook_configs (org_id, id),
    constraint pull_requests_installation_fkey
      foreign key (org_id, installation_row_id) references scm_installations (org_id, id)
  );
  create index pull_requests_config_idx on pull_requests (org_id, config_id);
  create index pull_requests_installation_idx on pull_requests (org_id, installation_row_id);
  create index pull_requests_updated_idx on pull_requests (updated_at);
  create index pull_requests_waiting_idx on pull_requests (coalesce(lease_until, updated_at)) where wanted > seen;
  create index pull_requests_wake_idx on pull_requests (wake_at) where wake_at is not null;
  select protect_org_rows('pull_requests');
  grant select, insert, update on pull_requests to app_rw;
  grant select (id, org_id, wanted, seen, lease_until, wake_at, updated_at) on pull_requests to app_platform;
  grant select, delete on pull_requests to app_sweeper;

  create table pull_request_plans (
    id uuid constraint pull_request_plans_pkey primary key,
    org_id uuid not null constraint pull_request_plans_org_id_fkey references orgs (id),
    pull_request_id uuid not null,
    plan_key text not null,
    head_sha text not null,
    run_id text not null,
    run_number bigint not null,
    plan_hash text,
    status text not null,
    payload_key text,
    job_id uuid,
    scan_run_id uuid,
    due_at timestamptz(3),
    error text,
    snapshot jsonb,
    created_at timestamptz(3) not null,
    finished_at timestamptz(3),
    constraint pull_request_plans_key unique (org_id, pull_request_id, plan_key, head_sha),
    constraint pull_request_plans_status_check
      check (status in ('waiting', 'deferred', 'submitted', 'done', 'failed', 'superseded')),
    constraint pull_request_plans_pull_request_fkey
      foreign key (org_id, pull_request_id) references pull_requests (org_id, id) on delete cascade
  );
  create index pull_request_plans_newest_idx on pull_request_plans (org_id, pull_request_id, run_number desc);
  create index pull_request_plans_job_idx on pull_request_plans (org_id, job_id) where job_id is not null;
  create index pull_request_plans_hash_idx on pull_request_plans (org_id, pull_request_id, plan_hash)
    where plan_hash is not null;
  create index pull_request_plans_created_idx on pull_request_plans (created_at);
  select protect_org_rows('pull_request_plans');
  grant select, insert, update on pull_request_plans to app_rw;
  grant select, delete on pull_request_plans to app_sweeper;
`;
