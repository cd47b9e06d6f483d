/**
 * What people do about drift from a message. An account's drift can be snoozed: until then nobody hears of it, unless it
 * is worse than `snoozed_level` and the items `snoozed_items_id`. It can be acknowledged. Both end with the drift.
 * `handled` lists what people did, as the message of a thread shows it.
 */
export const up = /* sql */ `
  alter table notification_episodes
    add column snoozed_until timestamptz(3),
    add column snoozed_by text,
    add column snoozed_level text,
    add column snoozed_items_id uuid,
    add column acknowledged_at timestamptz(3),
    add column acknowledged_by text,
    add constraint notification_episodes_snoozed_check
      check ((snoozed_until is null) = (snoozed_by is null) and (snoozed_until is null) = (snoozed_level is null)),
    add constraint notification_episodes_acknowledged_check
      check ((acknowledged_at is null) = (acknowledged_by is null));
  alter table notification_threads add column handled jsonb not null default '[]';
`;
