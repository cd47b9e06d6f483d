/**
 * Drift without anybody asking, and what a language model adds to it.
 *
 * `drift_requests` has a row for each ended scan whose drift has not been computed yet. The transaction that ends the
 * scan writes it, and the one that stores a snapshot deletes it. `error` is the reason of the last failure; a request
 * whose attempts are used up stays, so that the reason can be shown.
 *
 * Nobody creates the job that explains such a snapshot.
 *
 * A snapshot keeps the narrative and the level of the rules, so that a model can be asked again. `actor` is who changed a
 * resource, as far as its inventory says so.
 */
export const up = /* sql */ `
  create table drift_requests (
    org_id uuid not null,
    scan_run_id uuid not null,
    attempts integer not null default 0,
    queued_at timestamptz(3) not null,
    failed_at timestamptz(3),
    error text,
    constraint drift_requests_pkey primary key (org_id, scan_run_id),
    constraint drift_requests_scan_run_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete cascade,
    constraint drift_requests_failed_check check (failed_at is null or error is not null)
  );
  create index drift_requests_queued_idx on drift_requests (queued_at) where failed_at is null;

  alter table drift_items
    add column actor jsonb,
    add column suppression_id uuid,
    add constraint drift_items_actor_check check (actor is null or jsonb_typeof(actor) = 'object');

  alter table drift_snapshots
    add column rules_narrative text,
    add column rules_risk_level text,
    add constraint drift_snapshots_rules_risk_level_check
      check (rules_risk_level in ('none', 'low', 'medium', 'high', 'critical'));

  alter table llm_jobs alter column created_by drop not null;

  select protect_org_rows('drift_requests');
  grant select, insert, update, delete on drift_requests to app_rw;
  grant select (org_id, scan_run_id, queued_at, failed_at) on drift_requests to app_platform;
`;
