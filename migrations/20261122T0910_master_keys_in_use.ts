/**
 * The ids of the master keys that encrypted records of this database. Each record contains the id (byte 1 is the
 * version, bytes 2 to 5 are the id). A process that lacks one of these keys does not start.
 *
 * @see docs/adr/0024-the-database-names-its-master-keys.md
 */
const TABLE = /* sql */ `
  create table master_keys_in_use (
    key_id text constraint master_keys_in_use_pkey primary key,
    created_at timestamptz(3) not null default now(),
    constraint master_keys_in_use_key_id_check check (key_id ~ '^[0-9a-f]{8}$')
  );
  grant select, insert, delete on master_keys_in_use to app_platform;
`;

/**
 * Tables with encrypted records at this version. Their policies also apply to the owner, so they are disabled
 * temporarily.
 */
const SEALED_TABLES = ['orgs', 'llm_configs', 'webhook_configs', 'webhook_deliveries', 'scm_installations'];
const LEAST_BYTES = 93;

const alterEach = (change: string) => SEALED_TABLES.map((table) => `alter table ${table} ${change};`).join('\n');

const KEYS_OF_TODAY = /* sql */ `
  ${alterEach('no force row level security')}
  insert into master_keys_in_use (key_id)
    select distinct encode(substring(sealed from 2 for 4), 'hex')
    from (
      select noise_key_ct from orgs
      union all select config_ct from llm_configs
      union all select secret_ct from webhook_configs
      union all select prev_secret_ct from webhook_configs
      union all select api_token_ct from webhook_configs
      union all select api_key_ct from webhook_configs
      union all select payload_ct from webhook_deliveries
      union all select api_key_ct from scm_installations
    ) as records (sealed)
    where octet_length(sealed) >= ${LEAST_BYTES} and substring(sealed from 1 for 1) = '\\x01';
  ${alterEach('force row level security')}
`;

export const up = TABLE + KEYS_OF_TODAY;
