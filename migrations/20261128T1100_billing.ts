/**
 * The subscription of an organization, as the payment provider last reported it, and the events that asked to read it
 * again. `version` fences the reads: what was read under an older version is never written.
 *
 * `granted_plan` is what the subscription pays for. `orgs.plan` can be another one that a platform admin has set.
 */
export const up = /* sql */ `
  alter table orgs add column seat_overage boolean not null default false;
  grant select (seat_overage), update (seat_overage) on orgs to app_platform;

  create table billing_accounts (
    org_id uuid constraint billing_accounts_pkey primary key
      constraint billing_accounts_org_id_fkey references orgs (id),
    customer_id text constraint billing_accounts_customer_id_key unique,
    subscription_id text,
    status text not null default 'none',
    granted_plan text,
    current_period_end timestamptz(3),
    cancel_at_period_end boolean not null default false,
    version integer not null default 0,
    read_at timestamptz(3),
    seats_reported_on date,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint billing_accounts_status_check
      check (status in ('none', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'incomplete')),
    constraint billing_accounts_granted_plan_check check (granted_plan in ('team', 'enterprise')),
    constraint billing_accounts_subscription_check check ((subscription_id is null) = (status = 'none'))
  );
  create index billing_accounts_read_idx on billing_accounts (read_at nulls first) where customer_id is not null;

  create table billing_events (
    id uuid constraint billing_events_pkey primary key,
    org_id uuid not null constraint billing_events_org_id_fkey references orgs (id),
    stripe_event_id text not null constraint billing_events_stripe_event_id_key unique,
    type text not null,
    customer_id text not null,
    status text not null default 'received',
    received_at timestamptz(3) not null,
    queued_at timestamptz(3) not null,
    applied_at timestamptz(3),
    constraint billing_events_status_check check (status in ('received', 'applied')),
    constraint billing_events_applied_at_check check ((applied_at is null) = (status = 'received'))
  );
  create index billing_events_org_idx on billing_events (org_id);
  create index billing_events_received_idx on billing_events (queued_at) where status = 'received';
  create index billing_events_age_idx on billing_events (received_at);

  select protect_org_rows('billing_accounts');
  select protect_org_rows('billing_events');
  grant select on billing_accounts to app_rw;
  grant select, insert, update on billing_accounts to app_platform;
  grant select, insert, update on billing_events to app_platform;
  grant select (id, received_at), delete on billing_events to app_sweeper;
`;
