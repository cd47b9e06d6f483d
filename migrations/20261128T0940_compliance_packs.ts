/**
 * Compliance Packs. `attempts` of a pack is the fence of its worker: it writes only while the row still has the number
 * of its claim, and each attempt stores its file under a key of its own. `retry_at` is set while a running pack waits
 * for its next attempt.
 *
 * `audit_export_requests` counts requests, because the rows of deleted packs no longer do.
 */
export const up = /* sql */ `
  create table audit_exports (
    id uuid constraint audit_exports_pkey primary key,
    org_id uuid not null constraint audit_exports_org_id_fkey references orgs (id),
    status text not null default 'pending',
    period_start timestamptz(3) not null,
    period_end timestamptz(3) not null,
    requested_by text not null,
    created_at timestamptz(3) not null,
    started_at timestamptz(3),
    finished_at timestamptz(3),
    expires_at timestamptz(3) not null,
    artifact_key text,
    artifact_bytes bigint,
    artifact_sha256 text,
    error_message text,
    attempts integer not null default 0,
    heartbeat_at timestamptz(3),
    retry_at timestamptz(3),
    queued_at timestamptz(3) not null,
    constraint audit_exports_status_check check (status in ('pending', 'running', 'done', 'error', 'expired')),
    constraint audit_exports_period_check check (period_start < period_end),
    constraint audit_exports_finished_at_check check ((finished_at is null) = (status in ('pending', 'running'))),
    constraint audit_exports_artifact_check
      check (num_nonnulls(artifact_key, artifact_bytes, artifact_sha256) = case when status = 'done' then 3 else 0 end),
    constraint audit_exports_artifact_sha256_check check (artifact_sha256 ~ '^[0-9a-f]{64}$'),
    constraint audit_exports_error_message_check check ((error_message is not null) = (status = 'error')),
    constraint audit_exports_retry_at_check check (retry_at is null or status = 'running')
  );
  create index audit_exports_list_idx on audit_exports (org_id, created_at desc, id desc);
  create index audit_exports_unfinished_idx on audit_exports (created_at) where status in ('pending', 'running');
  create index audit_exports_expiry_idx on audit_exports (expires_at) where status = 'done';

  create table audit_export_requests (
    id uuid constraint audit_export_requests_pkey primary key,
    org_id uuid not null constraint audit_export_requests_org_id_fkey references orgs (id),
    created_at timestamptz(3) not null
  );
  create index audit_export_requests_org_idx on audit_export_requests (org_id, created_at desc);
  create index audit_export_requests_created_idx on audit_export_requests (created_at);

  select protect_org_rows('audit_exports');
  select protect_org_rows('audit_export_requests');
  grant select, insert, update, delete on audit_exports to app_rw;
  grant select (id, org_id, status, created_at, expires_at, heartbeat_at, retry_at, queued_at, artifact_key)
    on audit_exports to app_platform;
  grant select, insert on audit_export_requests to app_rw;
  grant select, delete on audit_export_requests to app_sweeper;

  -- A pack verifies the chain of its organization in its own snapshot.
  grant select on audit_heads to app_rw;
`;
