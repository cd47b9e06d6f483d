/**
 * Row-level security allows index lookups only through leakproof functions, and `left` is not one. A repository is
 * found by a fixed-size key instead, generated from its name.
 */
export const up = /* sql */ `
  drop index scan_runs_repository_idx;
  alter table scan_runs
    add column repo_key text generated always as (md5(repo_owner || '/' || repo_name)) stored;
  create index scan_runs_repository_idx on scan_runs (org_id, repo_key, finished_at desc)
    where kind = 'analysis' and status = 'done' and repo_key is not null;
`;
