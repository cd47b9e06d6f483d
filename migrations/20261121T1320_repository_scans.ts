/**
 * What the last analysis of a repository said, found for a page of repositories at once. The level is read out of the
 * result when that is written, so that no list has to look into results.
 */
export const up = /* sql */ `
  alter table scan_runs
    add column risk_level text generated always as (result_json ->> 'risk_level') stored;
  create index scan_runs_repository_idx
    on scan_runs (org_id, left(repo_owner, 100), left(repo_name, 100), finished_at desc)
    where kind = 'analysis' and status = 'done' and repo_name is not null;
`;
