/**
 * When processing of a delivery began: when it arrived, or was redelivered. Its duration and its timeout are measured
 * from this time.
 */
export const up = /* sql */ `
  alter table webhook_deliveries add column begun_at timestamptz(3);
  update webhook_deliveries set begun_at = created_at;
  alter table webhook_deliveries alter column begun_at set not null;
  create index webhook_deliveries_event_idx on webhook_deliveries (org_id, config_id, event, created_at desc);
`;
