/** Who can sign in: email domains and API keys; and the total numbers of users and organizations. */
export const up = /* sql */ `
  create table domain_allowlist (
    id uuid constraint domain_allowlist_pkey primary key,
    domain text not null constraint domain_allowlist_domain_key unique,
    created_by uuid constraint domain_allowlist_created_by_fkey references users (id),
    created_at timestamptz(3) not null default now(),
    constraint domain_allowlist_domain_check check (domain ~ '^[a-z0-9.-]+[.][a-z0-9-]+$' and char_length(domain) <= 253)
  );

  create index domain_allowlist_created_by_idx on domain_allowlist (created_by) where created_by is not null;

  -- Has one row after a deployment has added its first domains, so that a list that people emptied stays empty.
  create table domain_allowlist_seed (
    only_row boolean constraint domain_allowlist_seed_pkey primary key default true,
    seeded_at timestamptz(3) not null,
    constraint domain_allowlist_seed_only_row_check check (only_row)
  );

  grant select, insert, delete on domain_allowlist to app_platform;
  grant select, insert on domain_allowlist_seed to app_platform;

  create table api_keys (
    id uuid constraint api_keys_pkey primary key,
    org_id uuid not null constraint api_keys_org_id_fkey references orgs (id),
    name text not null,
    kind text not null,
    hash bytea not null constraint api_keys_hash_key unique,
    key_prefix text not null,
    scopes text[] not null,
    user_id uuid not null constraint api_keys_user_id_fkey references users (id),
    trust_id uuid,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    revoked_by uuid constraint api_keys_revoked_by_fkey references users (id),
    last_used_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    constraint api_keys_name_check check (char_length(name) between 1 and 100),
    constraint api_keys_kind_check check (kind in ('standard', 'integration', 'ephemeral')),
    constraint api_keys_hash_check check (octet_length(hash) = 32),
    constraint api_keys_key_prefix_check check (char_length(key_prefix) = 12),
    constraint api_keys_scopes_check check (cardinality(scopes) between 1 and 20),
    constraint api_keys_trust_id_check check (trust_id is null or kind = 'ephemeral'),
    constraint api_keys_expires_at_check check (kind <> 'ephemeral' or expires_at is not null),
    constraint api_keys_revoked_by_check check (revoked_by is null or revoked_at is not null)
  );

  create index api_keys_list_idx on api_keys (org_id, created_at desc, id desc);
  create index api_keys_live_idx on api_keys (org_id) where revoked_at is null and kind <> 'ephemeral';
  create index api_keys_user_id_idx on api_keys (user_id);
  create index api_keys_trust_id_idx on api_keys (org_id, trust_id) where trust_id is not null;
  create index api_keys_revoked_by_idx on api_keys (revoked_by) where revoked_by is not null;
  create index api_keys_ephemeral_expiry_idx on api_keys (expires_at) where kind = 'ephemeral';
  create index api_keys_revoked_at_idx on api_keys (revoked_at) where revoked_at is not null;

  select protect_org_rows('api_keys');
  grant select, insert, update (revoked_at, revoked_by) on api_keys to app_rw;
  grant select, update (last_used_at) on api_keys to app_platform;
  grant select, delete on api_keys to app_sweeper;

  create index users_list_idx on users (created_at desc, id desc) where deleted_at is null;
  create index users_email_prefix_idx on users (email text_pattern_ops) where deleted_at is null;
  create index users_name_prefix_idx on users (lower(display_name) text_pattern_ops) where deleted_at is null;

  -- Totals of the lists of the whole deployment, without deleted rows.
  create table platform_totals (
    list text constraint platform_totals_pkey primary key,
    total bigint not null,
    constraint platform_totals_list_check check (list in ('users', 'orgs')),
    constraint platform_totals_total_check check (total >= 0)
  ) with (fillfactor = 50);

  -- Row-level security also applies to the owner, so it is disabled while existing rows are counted.
  alter table orgs no force row level security;
  insert into platform_totals (list, total)
    select 'users', count(*) from users where deleted_at is null
    union all
    select 'orgs', count(*) from orgs where deleted_at is null;
  alter table orgs force row level security;

  -- Security definer: a role that creates a user needs no permission on the totals.
  create function count_platform_row() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
  declare
    change int := case when tg_op <> 'DELETE' and new.deleted_at is null then 1 else 0 end
      - case when tg_op <> 'INSERT' and old.deleted_at is null then 1 else 0 end;
  begin
    if change <> 0 then
      update platform_totals set total = total + change where list = tg_table_name;
    end if;
    return null;
  end
  $body$;
  revoke execute on function count_platform_row from public;

  -- Deferred, so that the single row is locked only during the commit.
  create constraint trigger users_count after insert or delete or update of deleted_at on users
    deferrable initially deferred for each row execute function count_platform_row();
  create constraint trigger orgs_count after insert or delete or update of deleted_at on orgs
    deferrable initially deferred for each row execute function count_platform_row();

  grant select on platform_totals to app_platform;
`;
