/**
 * Signed checkpoints of the audit logs of organizations. A checkpoint is final: it may be in the hands of others.
 * `subtrees` is what the next checkpoint continues from; `copied_at` is set when the object store has a copy.
 */
export const up = /* sql */ `
  create table audit_checkpoints (
    org_id uuid not null constraint audit_checkpoints_org_id_fkey references orgs (id),
    size bigint not null,
    root_hash text not null,
    head_hash text not null,
    subtrees text[] not null,
    note text not null,
    created_at timestamptz(3) not null,
    copied_at timestamptz(3),
    constraint audit_checkpoints_pkey primary key (org_id, size),
    constraint audit_checkpoints_size_check check (size >= 1),
    constraint audit_checkpoints_root_hash_check check (root_hash ~ '^[0-9a-f]{64}$'),
    constraint audit_checkpoints_head_hash_check check (head_hash ~ '^[0-9a-f]{64}$')
  );
  create index audit_checkpoints_uncopied_idx on audit_checkpoints (created_at) where copied_at is null;

  create table audit_checkpoint_settings (
    org_id uuid constraint audit_checkpoint_settings_pkey primary key
      constraint audit_checkpoint_settings_org_id_fkey references orgs (id),
    public_handle text,
    webhook_config_id uuid,
    updated_at timestamptz(3) not null,
    constraint audit_checkpoint_settings_public_handle_key unique (public_handle),
    constraint audit_checkpoint_settings_webhook_fkey foreign key (org_id, webhook_config_id)
      references webhook_configs (org_id, id)
  );
  create index audit_checkpoint_settings_webhook_idx on audit_checkpoint_settings (org_id, webhook_config_id);

  select protect_org_rows('audit_checkpoints');
  select protect_org_rows('audit_checkpoint_settings');
  grant select, insert on audit_checkpoints to app_rw;
  grant update (copied_at) on audit_checkpoints to app_rw;
  grant select (org_id, size, created_at, copied_at) on audit_checkpoints to app_platform;
  grant select, insert, update on audit_checkpoint_settings to app_rw;
  grant select (org_id, public_handle) on audit_checkpoint_settings to app_platform;
`;
