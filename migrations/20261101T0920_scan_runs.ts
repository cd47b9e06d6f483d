/**
 * Scan runs: one execution of a cloud scan or of a plan analysis. The result is stored as written (json, not jsonb), so
 * key order, numbers and text are preserved. Rows are updated while they run, so pages leave free space for them.
 */
export const up = /* sql */ `
  create table scan_runs (
    id uuid constraint scan_runs_pkey primary key,
    org_id uuid not null constraint scan_runs_org_id_fkey references orgs (id),
    kind text not null,
    cloud_account_id uuid,
    provider text,
    scan_type text not null,
    status text not null default 'pending',
    drift_status text,
    narrative_status text not null default 'none',
    resource_count integer,
    new_count integer,
    changed_count integer,
    missing_count integer,
    scan_errors jsonb not null default '[]',
    result_json json,
    repo_owner text,
    repo_name text,
    repo_url text,
    pr_number integer,
    branch text,
    commit_sha text,
    created_at timestamptz(3) not null default now(),
    started_at timestamptz(3),
    finished_at timestamptz(3),
    heartbeat_at timestamptz(3),
    constraint scan_runs_org_id_id_key unique (org_id, id),
    constraint scan_runs_kind_check check (kind in ('cloud', 'analysis')),
    constraint scan_runs_provider_check check (provider in ('aws', 'gcp', 'azure')),
    constraint scan_runs_scan_type_check check (scan_type in ('manual', 'scheduled', 'webhook')),
    constraint scan_runs_status_check check (status in ('pending', 'running', 'done', 'error')),
    constraint scan_runs_finished_at_check check ((finished_at is not null) = (status in ('done', 'error'))),
    constraint scan_runs_drift_status_check check (drift_status in ('in_sync', 'drifted', 'incomplete', 'failed')),
    constraint scan_runs_narrative_status_check
      check (narrative_status in ('none', 'pending', 'ready', 'fallback', 'skipped', 'failed')),
    constraint scan_runs_counts_check
      check (least(resource_count, new_count, changed_count, missing_count, pr_number) >= 0),
    constraint scan_runs_scan_errors_check check (jsonb_typeof(scan_errors) = 'array')
  ) with (fillfactor = 85);

  create index scan_runs_list_idx on scan_runs (org_id, created_at desc, id desc);
  create index scan_runs_account_idx on scan_runs (org_id, cloud_account_id, created_at desc, id desc)
    where cloud_account_id is not null;
  create index scan_runs_pull_request_idx on scan_runs (org_id, repo_owner, repo_name, pr_number, created_at desc)
    where pr_number is not null;
  create index scan_runs_unfinished_idx on scan_runs (created_at) where status in ('pending', 'running');

  grant select, insert, update on scan_runs to app_rw;
  grant select, delete on scan_runs to app_sweeper;
`;
