/**
 * The outbox: queue entries that are published after their transaction has committed. It contains only row ids, never
 * plans or secrets. Rows are inserted, updated once and deleted later, hence the early vacuum.
 */
export const up = /* sql */ `
  create table outbox (
    id uuid constraint outbox_pkey primary key,
    topic text not null,
    payload jsonb not null,
    available_at timestamptz(3) not null default now(),
    published_at timestamptz(3),
    attempts integer not null default 0,
    created_at timestamptz(3) not null default now(),
    constraint outbox_topic_check check (char_length(topic) between 1 and 100),
    constraint outbox_payload_check check (jsonb_typeof(payload) = 'object' and pg_column_size(payload) < 1000),
    constraint outbox_attempts_check check (attempts >= 0)
  ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

  create index outbox_unpublished_idx on outbox (available_at, id) where published_at is null;
  create index outbox_published_idx on outbox (published_at) where published_at is not null;

  grant select, insert, update on outbox to app_rw;
  grant select, update, delete on outbox to app_sweeper;
`;
