/** Organizations, and their members with their roles. */
export const up = /* sql */ `
  create table orgs (
    id uuid constraint orgs_pkey primary key,
    slug text not null constraint orgs_slug_key unique,
    display_name text not null,
    plan text not null default 'free',
    settings jsonb not null default '{}',
    noise_key_ct bytea not null,
    created_at timestamptz(3) not null default now(),
    deleted_at timestamptz(3),
    constraint orgs_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{1,38}[a-z0-9])$'),
    constraint orgs_display_name_check check (char_length(display_name) between 1 and 100),
    constraint orgs_plan_check check (plan in ('free', 'team', 'enterprise')),
    constraint orgs_settings_check check (jsonb_typeof(settings) = 'object')
  );

  create index orgs_created_idx on orgs (created_at desc, id desc);

  create table memberships (
    id uuid constraint memberships_pkey primary key,
    org_id uuid not null constraint memberships_org_id_fkey references orgs (id),
    user_id uuid not null constraint memberships_user_id_fkey references users (id),
    role text not null,
    invited_by uuid constraint memberships_invited_by_fkey references users (id),
    accepted_at timestamptz(3),
    expires_at timestamptz(3),
    last_active_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    constraint memberships_org_id_user_id_key unique (org_id, user_id),
    constraint memberships_role_check check (role in ('viewer', 'member', 'admin', 'owner'))
  );

  create index memberships_list_idx on memberships (org_id, created_at desc, id desc);
  create index memberships_user_id_idx on memberships (user_id);
  create index memberships_invited_by_idx on memberships (invited_by) where invited_by is not null;

  grant select, insert, update on orgs to app_rw;
  grant select, insert, update, delete on memberships to app_rw;
`;
