/**
 * Events that are not applied are queued again later and later. Those that the payment provider keeps rejecting end as
 * failed, with the reason. `due_at` is when an event is queued again.
 */
export const up = /* sql */ `
  alter table billing_events rename column queued_at to due_at;
  update billing_events set due_at = due_at + interval '5 minutes';
  alter table billing_events
    add column requeues integer not null default 0,
    add column failed_reason text,
    drop constraint billing_events_status_check,
    add constraint billing_events_status_check check (status in ('received', 'applied', 'parked', 'failed')),
    add constraint billing_events_failed_reason_check check ((failed_reason is null) = (status <> 'failed'));
  create index billing_events_failed_idx on billing_events (received_at) where status = 'failed';
`;
