/**
 * Limit overrides of organizations, and invitations. Limits are written only by the role that works across
 * organizations, so that no organization can raise its own. Of an invitation's token, only the hash is stored. The
 * indexes of organizations serve the list and the search of platform admins.
 */
export const up = /* sql */ `
  create table org_limits (
    org_id uuid not null constraint org_limits_org_id_fkey references orgs (id),
    name text not null,
    value integer not null,
    constraint org_limits_pkey primary key (org_id, name),
    constraint org_limits_name_check check (name in (
      'seats', 'schedules', 'schedule_interval', 'state_sources', 'cloud_accounts', 'concurrent_scans',
      'custom_rules', 'api_keys', 'webhook_configs', 'llm_weekly', 'llm_hourly')),
    constraint org_limits_value_check check (value >= -1)
  );

  create table invitations (
    id uuid constraint invitations_pkey primary key,
    org_id uuid not null constraint invitations_org_id_fkey references orgs (id),
    email text not null,
    role text not null,
    token_hash bytea not null constraint invitations_token_hash_key unique,
    status text not null default 'pending',
    invited_by uuid not null constraint invitations_invited_by_fkey references users (id),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    accepted_at timestamptz(3),
    constraint invitations_email_check check (char_length(email) between 3 and 320 and email = lower(email)),
    constraint invitations_role_check check (role in ('viewer', 'member', 'admin', 'owner')),
    constraint invitations_token_hash_check check (octet_length(token_hash) = 32),
    constraint invitations_status_check check (status in ('pending', 'accepted', 'revoked', 'expired')),
    constraint invitations_accepted_at_check check ((accepted_at is not null) = (status = 'accepted'))
  );

  create unique index invitations_pending_key on invitations (org_id, email) where status = 'pending';
  create index invitations_list_idx on invitations (org_id, created_at desc, id desc);
  create index invitations_invited_by_idx on invitations (invited_by);
  create index invitations_retention_idx on invitations (created_at);

  select protect_org_rows('org_limits');
  select protect_org_rows('invitations');

  grant select on org_limits to app_rw;
  grant select, insert, update, delete on org_limits to app_platform;
  grant select, insert, update (status, accepted_at) on invitations to app_rw;
  grant select (id, org_id, token_hash) on invitations to app_platform;
  grant select, delete on invitations to app_sweeper;

  drop index orgs_created_idx;
  create index orgs_list_idx on orgs (created_at desc, id desc) where deleted_at is null;
  create index orgs_slug_prefix_idx on orgs (slug text_pattern_ops);
  create index orgs_display_name_prefix_idx on orgs (lower(display_name) text_pattern_ops);
`;
