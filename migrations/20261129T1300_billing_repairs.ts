/**
 * Reads of subscriptions and reports of seats that fail are tried again later and later, so that they do not keep others
 * waiting. Events that cannot be attributed are parked with a reason. Subscriptions that were bought twice wait in a table
 * until they are canceled.
 */
export const up = /* sql */ `
  alter table billing_accounts
    drop column read_at,
    add column read_due_at timestamptz(3),
    add column read_failures integer not null default 0,
    add column seats_due_at timestamptz(3),
    add column seats_failures integer not null default 0,
    add column checkout_session_id text;
  create index billing_accounts_read_due_idx on billing_accounts (read_due_at nulls first)
    where customer_id is not null;

  alter table billing_events
    add column parked_reason text,
    drop constraint billing_events_status_check,
    drop constraint billing_events_applied_at_check,
    add constraint billing_events_status_check check (status in ('received', 'applied', 'parked')),
    add constraint billing_events_applied_at_check check ((applied_at is null) = (status <> 'applied')),
    add constraint billing_events_parked_reason_check check ((parked_reason is null) = (status <> 'parked'));
  create index billing_events_parked_idx on billing_events (received_at) where status = 'parked';

  create table billing_duplicates (
    subscription_id text constraint billing_duplicates_pkey primary key,
    org_id uuid not null constraint billing_duplicates_org_id_fkey references orgs (id),
    customer_id text not null,
    found_at timestamptz(3) not null,
    due_at timestamptz(3) not null,
    failures integer not null default 0
  );
  create index billing_duplicates_org_idx on billing_duplicates (org_id);
  create index billing_duplicates_due_idx on billing_duplicates (due_at);

  select protect_org_rows('billing_duplicates');
  grant select, insert, update, delete on billing_duplicates to app_platform;
`;
