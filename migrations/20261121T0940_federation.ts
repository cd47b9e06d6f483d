/**
 * Federation trusts, and the token exchanges under them. A deleted trust stays as a row, because keys and exchanges
 * refer to it.
 */
export const up = /* sql */ `
  create table federation_trusts (
    id uuid constraint federation_trusts_pkey primary key,
    org_id uuid not null constraint federation_trusts_org_id_fkey references orgs (id),
    name text not null,
    issuer text not null,
    conditions jsonb not null,
    scopes text[] not null,
    ttl_seconds integer not null,
    enabled boolean not null default true,
    created_by uuid not null constraint federation_trusts_created_by_fkey references users (id),
    created_at timestamptz(3) not null default now(),
    last_used_at timestamptz(3),
    deleted_at timestamptz(3),
    constraint federation_trusts_org_id_id_key unique (org_id, id),
    constraint federation_trusts_name_check check (char_length(name) between 1 and 100),
    constraint federation_trusts_issuer_check check (char_length(issuer) between 1 and 500),
    constraint federation_trusts_conditions_check
      check (jsonb_typeof(conditions) = 'array' and jsonb_array_length(conditions) between 1 and 10),
    constraint federation_trusts_scopes_check check (cardinality(scopes) between 1 and 4),
    constraint federation_trusts_ttl_seconds_check check (ttl_seconds between 60 and 900)
  ) with (fillfactor = 85);

  create index federation_trusts_list_idx on federation_trusts (org_id, created_at desc, id desc)
    where deleted_at is null;
  create index federation_trusts_created_by_idx on federation_trusts (created_by);

  select protect_org_rows('federation_trusts');
  grant select, insert, update (last_used_at, deleted_at) on federation_trusts to app_rw;

  alter table api_keys add constraint api_keys_trust_id_fkey
    foreign key (org_id, trust_id) references federation_trusts (org_id, id);

  -- (issuer, jti) is unique across organizations (indexes ignore policies): a token can be exchanged only once.
  create table federation_exchanges (
    id uuid constraint federation_exchanges_pkey primary key,
    org_id uuid not null,
    trust_id uuid not null,
    issuer text not null,
    jti text not null,
    subject text not null,
    -- No foreign key: the API key is deleted long before this row.
    key_id uuid not null,
    exchanged_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    constraint federation_exchanges_issuer_jti_key unique (issuer, jti),
    constraint federation_exchanges_trust_id_fkey
      foreign key (org_id, trust_id) references federation_trusts (org_id, id),
    constraint federation_exchanges_jti_check check (char_length(jti) between 1 and 255),
    constraint federation_exchanges_subject_check check (char_length(subject) between 1 and 1000)
  );

  create index federation_exchanges_trust_idx on federation_exchanges (org_id, trust_id, exchanged_at);
  create index federation_exchanges_expiry_idx on federation_exchanges (exchanged_at);

  select protect_org_rows('federation_exchanges');
  grant select, insert on federation_exchanges to app_rw;
  grant select, delete on federation_exchanges to app_sweeper;
`;
