/** How many items a set has of each type and level, so that the total of a filtered list is not counted row by row. */
export const up = /* sql */ `
  create table drift_item_counts (
    items_id uuid not null,
    org_id uuid not null,
    drift_type text not null,
    level_rank smallint not null,
    resource_type text not null,
    provider_type text not null,
    item_count integer not null,
    constraint drift_item_counts_pkey primary key (items_id, drift_type, level_rank, resource_type, provider_type),
    constraint drift_item_counts_set_fkey foreign key (org_id, items_id) references drift_item_sets (org_id, id)
      on delete cascade
  );
  create index drift_item_counts_set_idx on drift_item_counts (org_id, items_id);

  alter table drift_items no force row level security;
  insert into drift_item_counts
  select items_id, org_id, drift_type, level_rank, coalesce(resource_type, ''), coalesce(provider_type, ''), count(*)
  from drift_items group by 1, 2, 3, 4, 5, 6;
  alter table drift_items force row level security;

  select protect_org_rows('drift_item_counts');
  grant select, insert, update on drift_item_counts to app_rw;
  grant select, delete on drift_item_counts to app_sweeper;
`;
