/**
 * Jobs that a caller polls. The row is the source of truth; the queue only wakes a worker, which changes the row from
 * pending to running and proves with `attempts` that it still has the claim. Heartbeats are the most frequent write:
 * heartbeat_at is in no index and pages leave free space, so that updates stay within the page.
 */
export const up = /* sql */ `
  create table llm_jobs (
    id uuid constraint llm_jobs_pkey primary key,
    org_id uuid not null constraint llm_jobs_org_id_fkey references orgs (id),
    kind text not null,
    status text not null default 'pending',
    scan_run_id uuid,
    payload_key text,
    result json,
    error text,
    error_class text,
    attempts integer not null default 0,
    heartbeat_at timestamptz(3),
    created_by uuid not null constraint llm_jobs_created_by_fkey references users (id),
    created_at timestamptz(3) not null default now(),
    started_at timestamptz(3),
    finished_at timestamptz(3),
    constraint llm_jobs_org_id_id_key unique (org_id, id),
    constraint llm_jobs_scan_run_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete set null (scan_run_id),
    constraint llm_jobs_kind_check check (kind in ('analyze', 'fix', 'drift-narrative', 'iac-gen')),
    constraint llm_jobs_status_check check (status in ('pending', 'running', 'done', 'error')),
    constraint llm_jobs_finished_at_check check ((finished_at is not null) = (status in ('done', 'error'))),
    constraint llm_jobs_error_check check ((error is not null) = (status = 'error')),
    constraint llm_jobs_attempts_check check (attempts >= 0)
  ) with (fillfactor = 85);

  create index llm_jobs_list_idx on llm_jobs (org_id, created_at desc, id desc);
  create index llm_jobs_limit_window_idx on llm_jobs (org_id, kind, created_at desc);
  create index llm_jobs_scan_run_idx on llm_jobs (org_id, scan_run_id);
  create index llm_jobs_created_by_idx on llm_jobs (created_by);
  create index llm_jobs_unfinished_idx on llm_jobs (created_at) where status in ('pending', 'running');
  create index llm_jobs_finished_idx on llm_jobs (created_at) where status in ('done', 'error');
  create index llm_jobs_payload_idx on llm_jobs (payload_key) where payload_key is not null;

  grant select, insert, update on llm_jobs to app_rw;
  grant select, delete on llm_jobs to app_sweeper;
`;
