/**
 * What the upkeep of pull requests needs: when the queue was last told again of one that nobody works on, and which plans
 * of the object store a row still names.
 */
export const up = /* sql */ `
  alter table pull_requests add column reminded_at timestamptz(3);
  grant select (reminded_at), update (reminded_at) on pull_requests to app_platform;

  create index pull_request_plans_payload_idx on pull_request_plans (payload_key) where payload_key is not null;
`;
