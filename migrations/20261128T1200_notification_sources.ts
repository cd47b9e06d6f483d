/**
 * Packs and schedules are sources of notifications. A schedule can be disabled more than once, so only the events of
 * other sources are unique. A change of a plan, which works across organizations, can disable schedules.
 */
export const up = /* sql */ `
  alter table notification_events
    drop constraint notification_events_source_check,
    add constraint notification_events_source_check
      check (source in ('drift_snapshot', 'scan', 'analysis', 'compliance_pack', 'schedule')),
    drop constraint notification_events_source_key;
  create unique index notification_events_source_key on notification_events (org_id, source, source_id)
    where source <> 'schedule';
  grant insert, select (source, source_id) on notification_events to app_platform;
`;
