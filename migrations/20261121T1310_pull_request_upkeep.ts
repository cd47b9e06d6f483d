/**
 * For the maintenance of pull requests: when an unprocessed one was last queued again, and which stored plans still
 * belong to a row.
 */
export const up = /* sql */ `
  alter table pull_requests add column reminded_at timestamptz(3);
  grant select (reminded_at), update (reminded_at) on pull_requests to app_platform;

  create index pull_request_plans_payload_idx on pull_request_plans (payload_key) where payload_key is not null;
`;
