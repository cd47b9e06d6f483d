/**
 * The cloud accounts that an organization has connected. A deleted account keeps its row, because scans refer to it, but
 * not its credentials. Each organization has one external ID, which its roles at AWS require.
 */
export const up = /* sql */ `
  alter table orgs add column cloud_external_id uuid not null default gen_random_uuid();

  create table cloud_accounts (
    id uuid constraint cloud_accounts_pkey primary key,
    org_id uuid not null constraint cloud_accounts_org_id_fkey references orgs (id),
    provider text not null,
    display_name text not null,
    external_account_id text not null,
    credential_type text not null,
    credentials_ct bytea,
    credential_hint text,
    identity text,
    status text not null,
    status_reason text,
    regions text[] not null,
    enabled boolean not null,
    last_validated_at timestamptz(3),
    created_by uuid not null constraint cloud_accounts_created_by_fkey references users (id),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    constraint cloud_accounts_org_id_id_key unique (org_id, id),
    constraint cloud_accounts_provider_check check (provider in ('aws', 'gcp', 'azure')),
    constraint cloud_accounts_display_name_check check (char_length(display_name) between 1 and 100),
    constraint cloud_accounts_credential_type_check check (credential_type in (
      'aws_role', 'aws_access_key', 'aws_web_identity', 'gcp_service_account_key', 'gcp_workload_identity',
      'azure_client_secret', 'azure_federated')),
    constraint cloud_accounts_status_check check (status in ('active', 'invalid', 'unverified')),
    constraint cloud_accounts_credentials_check check ((credentials_ct is null) = (deleted_at is not null)),
    constraint cloud_accounts_enabled_check check (deleted_at is null or not enabled)
  );

  create unique index cloud_accounts_account_key on cloud_accounts (org_id, provider, external_account_id)
    where deleted_at is null;
  create index cloud_accounts_list_idx on cloud_accounts (org_id, created_at desc, id desc) where deleted_at is null;
  create index cloud_accounts_created_by_idx on cloud_accounts (created_by);

  select protect_org_rows('cloud_accounts');
  grant select, insert,
    update (display_name, credential_type, credentials_ct, credential_hint, identity, status, status_reason, regions,
      enabled, last_validated_at, updated_at, deleted_at) on cloud_accounts to app_rw;
`;
