/**
 * Calls of language models. Their texts are encrypted blobs whose key is derived from organization and id; `has_body`
 * says that there may be one, from before it is written until after it was deleted, so that after any interruption the
 * rows are enough to continue.
 */
export const up = /* sql */ `
  create table traces (
    id text constraint traces_pkey primary key,
    org_id uuid not null constraint traces_org_id_fkey references orgs (id),
    scan_run_id uuid,
    kind text not null,
    status text not null default 'pending',
    has_body boolean not null default true,
    model text,
    input_tokens integer,
    output_tokens integer,
    latency_ms integer not null,
    cached boolean not null,
    fallback boolean not null,
    prompt_version text not null,
    inputs json not null,
    error text,
    created_at timestamptz(3) not null,
    constraint traces_scan_run_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete set null (scan_run_id),
    constraint traces_id_check check (id ~ '^trc-[0-9a-f]{24}$'),
    constraint traces_kind_check check (kind in ('narrative', 'drift-narrative', 'classify', 'plan-noise-fix', 'iac-gen')),
    constraint traces_status_check check (status in ('pending', 'ready', 'failed', 'expired')),
    constraint traces_cached_check check (not cached or kind = 'classify'),
    constraint traces_numbers_check check (least(latency_ms, input_tokens, output_tokens) >= 0)
  ) with (fillfactor = 85);

  create index traces_list_idx on traces (org_id, scan_run_id, created_at, id);
  create index traces_pending_idx on traces (created_at) where status = 'pending';
  create index traces_body_idx on traces (created_at) where has_body;
  create index traces_retention_idx on traces (created_at) where not has_body;

  select protect_org_rows('traces');
  grant select, insert, update (status) on traces to app_rw;
  grant select, update (status, has_body), delete on traces to app_sweeper;
  grant select on traces to app_platform;
`;
