/**
 * The audit log: one hash chain per organization, and one of the platform (org_id null). Rows are written only through
 * `audit_append`, which continues the chains; not even the owner can change or delete a row.
 *
 * Only `audit_heads` refers to organizations: with a reference on every row, the log would wait for a transaction that
 * locks the organization's row, while that one waits for the chain.
 *
 * @see docs/audit-log.md
 */
const TABLES = /* sql */ `
  create table audit_log (
    id uuid constraint audit_log_pkey primary key,
    org_id uuid,
    seq bigint not null,
    actor_email text not null,
    action text not null,
    detail json not null,
    created_at timestamptz(3) not null,
    prev_hash text,
    hash text not null,
    canon_version smallint not null default 1,
    constraint audit_log_org_id_seq_key unique nulls not distinct (org_id, seq),
    constraint audit_log_seq_check check (seq >= 1),
    constraint audit_log_detail_check check (json_typeof(detail) = 'object'),
    constraint audit_log_canon_version_check check (canon_version = 1)
  );

  -- "is null" is not an equality, so the order of the index on (org_id, …) does not work for the platform's chain.
  create index audit_log_platform_seq_idx on audit_log (seq) where org_id is null;
  create index audit_log_list_idx on audit_log (created_at desc, seq desc, id desc);
  create index audit_log_org_list_idx on audit_log (org_id, created_at desc, seq desc, id desc) include (action)
    where org_id is not null;
  create index audit_log_platform_list_idx on audit_log (created_at desc, seq desc, id desc) include (action)
    where org_id is null;
  create index audit_log_action_list_idx on audit_log (action, created_at desc, seq desc, id desc);

  -- A busy chain updates its head for every batch: leave free space on the page, and vacuum early.
  create table audit_heads (
    org_id uuid constraint audit_heads_org_id_fkey references orgs (id),
    seq bigint not null default 0,
    hash text,
    constraint audit_heads_org_id_key unique nulls not distinct (org_id),
    constraint audit_heads_hash_check check ((hash is null) = (seq = 0))
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

  create function refuse_audit_change() returns trigger language plpgsql as $body$
  begin
    raise insufficient_privilege using message = format('rows of %I are never changed or deleted', tg_table_name);
  end
  $body$;
  create trigger audit_log_is_final before update or delete or truncate on audit_log
    for each statement execute function refuse_audit_change();
  create trigger audit_heads_stay before delete or truncate on audit_heads
    for each statement execute function refuse_audit_change();

  select protect_org_rows('audit_log');
  select protect_org_rows('audit_heads');
  create policy appender on audit_log to app_migrator using (true);
  create policy appender on audit_heads to app_migrator using (true);
  grant select on audit_log to app_rw, app_platform;
  grant select on audit_heads to app_platform;

  -- Verifications of organizations' chains, which are limited per hour.
  create table audit_verifications (
    id uuid constraint audit_verifications_pkey primary key,
    org_id uuid not null constraint audit_verifications_org_id_fkey references orgs (id),
    created_at timestamptz(3) not null
  );
  create index audit_verifications_org_idx on audit_verifications (org_id, created_at desc);
  create index audit_verifications_created_idx on audit_verifications (created_at);
  select protect_org_rows('audit_verifications');
  grant select, insert on audit_verifications to app_rw;
  grant select, delete on audit_verifications to app_sweeper;
`;

/**
 * Appends the given events to their chains, in the given order, in one statement: all of them or none.
 *
 * - `details`: canonical JSON text of objects, as created by the engine's `auditDetailText`
 * - `lock_ms`: maximum wait for a chain that is locked by another writer; then 55P03
 * - `within_ms`: maximum total time, then 57014 and nothing is written
 *
 * All callers lock heads in the same order (platform first, then by organization), and read them in a separate
 * statement, because the snapshot of the locking statement may be older than the lock. `app_rw` can append only to the
 * chain of its own organization.
 */
const APPEND = /* sql */ `
  create function audit_append(
    ids uuid[], org_ids uuid[], actors text[], actions text[], details text[], created timestamptz[],
    lock_ms integer default null, within_ms integer default null
  ) returns table (id uuid, org_id uuid, seq bigint, hash text)
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
  #variable_conflict use_column
  declare
    n constant integer := cardinality(ids);
    chains uuid[] := array(select distinct c from unnest(org_ids) c order by c nulls first);
    head_seqs bigint[];
    head_hashes text[];
    row_seqs bigint[];
    row_prevs text[];
    row_hashes text[];
    event record;
    chain integer;
    i integer;
  begin
    if array[cardinality(org_ids), cardinality(actors), cardinality(actions), cardinality(details),
             cardinality(created)] <> array[n, n, n, n, n] then
      raise invalid_parameter_value using message = 'audit_append needs arrays of one length';
    end if;
    if n = 0 then
      return;
    end if;
    -- The role that was taken when the session began: within this function the owner is the current user.
    if current_setting('role') not in ('app_platform', 'app_migrator') and exists (
      select from unnest(org_ids) o
      where coalesce(o <> nullif(current_setting('app.org_id', true), '')::uuid, true)
    ) then
      raise insufficient_privilege using message = 'only the chain of the own org may be appended to';
    end if;
    if lock_ms is not null then
      perform set_config('lock_timeout', greatest(lock_ms, 1)::text, true);
    end if;

    insert into audit_heads (org_id) select c from unnest(chains) c
      on conflict on constraint audit_heads_org_id_key do nothing;
    if chains[1] is null then
      perform from audit_heads where org_id is null for update;
    end if;
    perform from audit_heads where org_id = any (chains) order by org_id for update;
    select array_agg(h.seq order by h.org_id nulls first), array_agg(h.hash order by h.org_id nulls first)
      into head_seqs, head_hashes
      from audit_heads h where h.org_id = any (chains) or (h.org_id is null and chains[1] is null);

    -- Not by subscript: that walks an array of texts from its beginning each time.
    for event in
      select e.id, e.org_id, to_json(e.actor) as actor, to_json(e.action) as action, e.detail, e.i,
        to_char(e.created_at::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
      from unnest(ids, org_ids, actors, actions, details, created) with ordinality
        as e (id, org_id, actor, action, detail, created_at, i)
      order by e.i
    loop
      i := event.i;
      chain := array_position(chains, event.org_id);
      row_seqs[i] := head_seqs[chain] + 1;
      row_prevs[i] := head_hashes[chain];
      row_hashes[i] := encode(sha256(convert_to(
        'v1' || chr(10)
        || '{"action":' || event.action
        || ',"actor_email":' || event.actor
        || ',"created_at":"' || event.created_at
        || '","detail":' || event.detail
        || ',"id":"' || event.id
        || '","org_id":' || coalesce('"' || event.org_id || '"', 'null')
        || ',"prev_hash":' || coalesce('"' || row_prevs[i] || '"', 'null')
        || ',"seq":' || row_seqs[i] || '}', 'UTF8')), 'hex');
      head_seqs[chain] := row_seqs[i];
      head_hashes[chain] := row_hashes[i];
    end loop;

    insert into audit_log (id, org_id, seq, actor_email, action, detail, created_at, prev_hash, hash)
      select r.id, r.org_id, r.seq, r.actor, r.action, r.detail::json, r.created_at, r.prev, r.hash
      from unnest(ids, org_ids, row_seqs, actors, actions, details, created, row_prevs, row_hashes)
        as r (id, org_id, seq, actor, action, detail, created_at, prev, hash);
    if chains[1] is null then
      update audit_heads h set seq = head_seqs[1], hash = head_hashes[1] where h.org_id is null;
    end if;
    update audit_heads h set seq = n.seq, hash = n.hash
      from unnest(chains, head_seqs, head_hashes) as n (org_id, seq, hash) where h.org_id = n.org_id;

    if clock_timestamp() > statement_timestamp() + within_ms * interval '1 millisecond' then
      raise query_canceled using message = 'the audit log was not written in time';
    end if;
    return query select * from unnest(ids, org_ids, row_seqs, row_hashes);
  end
  $body$;
  revoke execute on function audit_append from public;
  grant execute on function audit_append to app_rw, app_platform;
`;

/**
 * Organizations older than the log get the first row of their chain. Policies also apply to the owner of the tables, so
 * they are disabled while the rows are read.
 */
const FIRST_ROWS = /* sql */ `
  alter table orgs no force row level security;
  alter table memberships no force row level security;
  select audit_append(
    array[gen_random_uuid()], array[o.id], array[coalesce(founder.email, '')], array['org.created'],
    array['{"slug":' || to_json(o.slug) || '}'], array[o.created_at])
  from orgs o
  left join lateral (
    select u.email from memberships m join users u on u.id = m.user_id
    where m.org_id = o.id and m.role = 'owner' order by m.created_at, m.id limit 1
  ) founder on true
  order by o.created_at, o.id;
  alter table orgs force row level security;
  alter table memberships force row level security;
`;

export const up = TABLES + APPEND + FIRST_ROWS;
