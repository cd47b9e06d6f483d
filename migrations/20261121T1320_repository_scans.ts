/**
 * The result of the last analysis of a repository, for a page of repositories at once. The level is extracted when the
 * result is written, so that lists do not have to parse results.
 */
export const up = /* sql */ `
  alter table scan_runs
    add column risk_level text generated always as (result_json ->> 'risk_level') stored;
  create index scan_runs_repository_idx
    on scan_runs (org_id, left(repo_owner, 100), left(repo_name, 100), finished_at desc)
    where kind = 'analysis' and status = 'done' and repo_name is not null;
`;
