/** Responses stored for a day, so that a repeated request with the same key is not executed twice. */
export const up = /* sql */ `
  create table idempotency_keys (
    id uuid constraint idempotency_keys_pkey primary key default gen_random_uuid(),
    org_id uuid constraint idempotency_keys_org_id_fkey references orgs (id),
    credential_id text not null,
    method text not null,
    path text not null,
    key text not null,
    body_sha256 text not null,
    status text not null default 'running',
    response_status integer,
    response_headers jsonb,
    response_body text,
    locked_until timestamptz(3),
    created_at timestamptz(3) not null default now(),
    constraint idempotency_keys_request_key
      unique nulls not distinct (org_id, credential_id, method, path, key),
    constraint idempotency_keys_key_check check (char_length(key) between 1 and 255),
    constraint idempotency_keys_status_check check (status in ('running', 'done'))
  );

  create index idempotency_keys_created_idx on idempotency_keys (created_at);

  grant select, insert, update, delete on idempotency_keys to app_rw;
  grant select, delete on idempotency_keys to app_sweeper;
`;
