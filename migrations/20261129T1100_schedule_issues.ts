/**
 * A schedule notifies repositories with an issue, and shows why its notifications do not arrive. Deliveries that a
 * schedule has caused name it. An issue has one thread, which is not resolved: its issue is closed and opened again.
 * `notify_errors` has the last error of each channel and repository whose last delivery has failed.
 */
export const up = /* sql */ `
  alter table notification_deliveries
    add column schedule_id uuid,
    add column webhook_config_id uuid,
    add constraint notification_deliveries_schedule_fkey
      foreign key (org_id, schedule_id) references schedules (org_id, id),
    add constraint notification_deliveries_webhook_fkey
      foreign key (org_id, webhook_config_id) references webhook_configs (org_id, id),
    add constraint notification_deliveries_issue_check check (
      target_kind <> 'issue' or (schedule_id is not null and webhook_config_id is not null));
  create index notification_deliveries_schedule_idx on notification_deliveries (org_id, schedule_id)
    where schedule_id is not null;
  create index notification_deliveries_webhook_idx on notification_deliveries (org_id, webhook_config_id)
    where webhook_config_id is not null;

  create unique index notification_threads_issue_key on notification_threads (org_id, route_key)
    where route_key like 'issue:%';

  alter table schedules add column notify_errors jsonb not null default '{}';
`;
