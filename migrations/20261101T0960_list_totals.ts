/**
 * Number of rows in each list of an organization, updated in the same transaction as the rows: counting a million index
 * entries for every page would cost a hundred times the page itself.
 */
export const up = /* sql */ `
  create table list_totals (
    org_id uuid not null constraint list_totals_org_id_fkey references orgs (id),
    list text not null,
    total bigint not null,
    constraint list_totals_pkey primary key (org_id, list),
    constraint list_totals_list_check check (list in ('scan_runs')),
    constraint list_totals_total_check check (total >= 0)
  ) with (fillfactor = 50);

  create index scan_runs_retention_idx on scan_runs (created_at);

  grant select, insert, update on list_totals to app_rw;
  grant select, update on list_totals to app_sweeper;
`;
