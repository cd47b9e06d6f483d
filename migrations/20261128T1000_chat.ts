/**
 * The Slack app. `chat_installations` has the workspace of an organization, with its tokens encrypted: one workspace for
 * each organization, and one organization for each workspace. `refreshing_until` lets one process exchange an expiring
 * token. `chat_requests` has what people did in Slack, once however often Slack sends it, with its body encrypted until
 * a job has worked on it.
 *
 * The confirmation of an installation is a one-time state for one browser, as for GitHub. Its code stays in the cookie
 * of that browser.
 */
export const up = /* sql */ `
  create table chat_installations (
    id uuid constraint chat_installations_pkey primary key,
    org_id uuid not null constraint chat_installations_org_id_fkey references orgs (id),
    team_id text not null,
    team_name text not null,
    enterprise_id text,
    bot_user_id text not null,
    scopes text[] not null,
    token_ct bytea not null,
    token_expires_at timestamptz(3),
    refreshing_until timestamptz(3),
    installed_by uuid not null constraint chat_installations_installed_by_fkey references users (id),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint chat_installations_org_key unique (org_id),
    constraint chat_installations_team_key unique (team_id)
  );
  create index chat_installations_installed_by_idx on chat_installations (installed_by);

  create table chat_requests (
    id uuid constraint chat_requests_pkey primary key,
    org_id uuid not null constraint chat_requests_org_id_fkey references orgs (id),
    team_id text not null,
    kind text not null,
    request_key text not null,
    body_ct bytea,
    status text not null,
    attempts integer not null default 0,
    lease_until timestamptz(3),
    created_at timestamptz(3) not null,
    finished_at timestamptz(3),
    constraint chat_requests_request_key unique (org_id, request_key),
    constraint chat_requests_kind_check check (kind in ('event', 'command', 'interaction')),
    constraint chat_requests_status_check check (status in ('pending', 'done', 'failed')),
    constraint chat_requests_body_check check ((status = 'pending') = (body_ct is not null)),
    constraint chat_requests_finished_check check ((status = 'pending') = (finished_at is null))
  );
  create index chat_requests_pending_idx on chat_requests (created_at) where status = 'pending';
  create index chat_requests_created_idx on chat_requests (created_at);

  select protect_org_rows('chat_installations');
  select protect_org_rows('chat_requests');
  grant select, insert, update, delete on chat_installations to app_rw;
  grant select, insert, update on chat_requests to app_rw;
  grant select (id, org_id, team_id) on chat_installations to app_platform;
  grant select (id, org_id, status, lease_until, created_at) on chat_requests to app_platform;
  grant select, delete on chat_requests to app_sweeper;

  alter table oauth_states
    drop constraint oauth_states_purpose_check,
    drop constraint oauth_states_confirm_check,
    add constraint oauth_states_purpose_check check (purpose in ('scm', 'scm_confirm', 'chat', 'chat_confirm')),
    add constraint oauth_states_confirm_check check (
      (installation is not null) = (purpose = 'scm_confirm')
      and (browser_hash is not null) = (purpose in ('scm_confirm', 'chat_confirm')));
`;
