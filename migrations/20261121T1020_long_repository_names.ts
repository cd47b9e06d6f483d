/**
 * Repository names can be longer than an index entry: indexing their first characters is enough to find a pull request,
 * and a name of 500 characters no longer fails the insert.
 */
export const up = /* sql */ `
  drop index scan_runs_pull_request_idx;
  create index scan_runs_pull_request_idx
    on scan_runs (org_id, pr_number, left(repo_owner, 100), left(repo_name, 100), created_at desc)
    where pr_number is not null;
`;
