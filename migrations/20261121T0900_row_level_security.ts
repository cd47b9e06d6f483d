/**
 * Row-level security between organizations, in addition to the `org_id` of every query: `app_rw` can read and write
 * only rows of the organization that its unit of work sets in `app.org_id`. Without one, it sees nothing. Policies also
 * apply to the owner (force); foreign keys are checked without them. `app_platform`, which works across organizations,
 * and the sweeper see every row, but have permissions only on the tables that they need.
 */
export const up = /* sql */ `
  create function protect_org_rows(org_table regclass, org_column name default 'org_id') returns void
  language plpgsql as $body$
  begin
    execute format('alter table %s enable row level security, force row level security', org_table);
    -- A committed "set local" leaves the empty text behind, which is no uuid.
    execute format(
      'create policy own_org on %s to app_rw using (%I = nullif(current_setting(''app.org_id'', true), '''')::uuid)',
      org_table, org_column);
    execute format('create policy every_org on %s to app_platform, app_sweeper using (true)', org_table);
  end
  $body$;
  revoke execute on function protect_org_rows from public;

  select protect_org_rows('orgs', 'id');
  select protect_org_rows('memberships');
  select protect_org_rows('scan_runs');
  select protect_org_rows('llm_jobs');
  select protect_org_rows('list_totals');
  select protect_org_rows('idempotency_keys');

  revoke select, insert, update on users from app_rw;
  grant select (id, email, display_name, deleted_at) on users to app_rw;
  grant select, insert, update on users to app_platform;

  revoke update on orgs from app_rw;
  grant update (display_name, settings) on orgs to app_rw;
  grant select (id, slug, display_name, plan, created_at, deleted_at), update (plan) on orgs to app_platform;
  grant select (id, plan) on orgs to app_sweeper;
  grant select on memberships to app_platform;

  grant select, update on llm_jobs to app_platform;

  revoke select, update on outbox from app_rw;
  grant select, insert, update on outbox to app_platform;

  revoke all on idempotency_keys from app_rw;
  grant select, insert, update, delete on idempotency_keys to app_platform;
`;
