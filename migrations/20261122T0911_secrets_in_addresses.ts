/**
 * Removes readable secrets from URLs. Credentials in the repository URLs of scan runs are deleted. The URL of a generic
 * webhook is encrypted: SQL has no master key, so the service encrypts stored ones when it starts.
 *
 * `credential_free` is the SQL version of server/lib/url-credentials.ts, used only here. A question mark is written as
 * `\x3f` in it, because knex would treat it as a parameter.
 */
export const up = /* sql */ `
  create function credential_free(url text) returns text language sql immutable as $body$
    select case
      when bare ~* '[\\x3f&;#](private_token|access_token|job_token|auth_token|token|api_key|api-key|apikey|key|password|passwd|pwd|secret|client_secret|credential|sig|signature|auth|authorization|code|x-amz-[a-z-]+|x-goog-[a-z-]+)='
        then regexp_replace(bare, '[\\x3f#].*$', '')
      else bare
    end
    from (select regexp_replace(url, '^(https{0,1}:[/\\\\]*)[^/\\\\\\x3f#]*@', '\\1', 'i') as bare) as stripped
  $body$;

  -- Row-level security is forced, so without this even the owner of the table could update no row.
  alter table scan_runs no force row level security;
  update scan_runs
    set repo_url = credential_free(repo_url),
        result_json = replace(
          result_json::text,
          '"repo_url":' || to_json(repo_url)::text,
          '"repo_url":' || to_json(credential_free(repo_url))::text
        )::json
    where repo_url is not null and credential_free(repo_url) <> repo_url;
  alter table scan_runs force row level security;
  drop function credential_free(text);

  alter table webhook_configs
    add column target_ct bytea,
    add constraint webhook_configs_target_check check (provider = 'generic' or target_ct is null);
  -- Two URLs can have the same public part; the service compares the decrypted ones.
  drop index webhook_configs_repo_key;
  create unique index webhook_configs_repo_key
    on webhook_configs (org_id, provider, provider_base_url, repo_path)
    where deleted_at is null and provider <> 'generic';
  grant select (target_ct) on webhook_configs to app_platform;
`;
