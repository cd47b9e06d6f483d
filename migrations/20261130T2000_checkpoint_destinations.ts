/**
 * Where else an organization keeps its signed checkpoints: its bucket, and a repository. `target` says where, without
 * secrets; `secret_access_key_ct` has the secret key of a bucket that is not reached with a cloud account.
 *
 * `next_size` is the smallest size that is not delivered. `updated_at` fences the delivery: the outcome for an earlier
 * target is never written.
 */
export const up = /* sql */ `
  create table audit_checkpoint_destinations (
    id uuid constraint audit_checkpoint_destinations_pkey primary key,
    org_id uuid not null constraint audit_checkpoint_destinations_org_id_fkey references orgs (id),
    kind text not null,
    target jsonb not null,
    secret_access_key_ct bytea,
    next_size bigint not null,
    delivered_size bigint,
    delivered_at timestamptz(3),
    last_error text,
    failed_at timestamptz(3),
    failures integer not null default 0,
    due_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint audit_checkpoint_destinations_kind_key unique (org_id, kind),
    constraint audit_checkpoint_destinations_kind_check check (kind in ('s3', 'git')),
    constraint audit_checkpoint_destinations_next_size_check check (next_size >= 1),
    constraint audit_checkpoint_destinations_delivered_check check ((delivered_size is null) = (delivered_at is null)),
    constraint audit_checkpoint_destinations_failed_check check ((last_error is null) = (failed_at is null))
  );
  create index audit_checkpoint_destinations_due_idx on audit_checkpoint_destinations (due_at);

  select protect_org_rows('audit_checkpoint_destinations');
  grant select, insert, update, delete on audit_checkpoint_destinations to app_rw;
  grant select (org_id, kind, next_size, due_at) on audit_checkpoint_destinations to app_platform;
`;
