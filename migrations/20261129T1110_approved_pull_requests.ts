/** A pull request that is approved although its plans are critical is a source of notifications, once. */
export const up = /* sql */ `
  alter table notification_events
    drop constraint notification_events_source_check,
    add constraint notification_events_source_check
      check (source in ('drift_snapshot', 'scan', 'analysis', 'compliance_pack', 'schedule', 'pull_request'));
  alter table notification_pull_requests add column approval_reported_at timestamptz(3);
`;
