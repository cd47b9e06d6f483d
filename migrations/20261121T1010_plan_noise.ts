/**
 * Recurring plan noise. The noise of an analysis waits in the inbox until it is counted. A sighting is one row for each
 * analyzed commit (or run, if no commit is known) with its pairs of fingerprint and address. A pattern is one row for
 * each pair and repository, with the number of sightings inside the organization's window. Lists read the patterns by
 * that number and never the sightings.
 *
 * Pairs, repositories and runs have hashes as keys, because addresses can be too long for an index. Sightings have no
 * reference to their scan run, which is deleted earlier.
 */
export const up = /* sql */ `
  create table noise_settings (
    org_id uuid constraint noise_settings_pkey primary key
      constraint noise_settings_org_id_fkey references orgs (id),
    recurrence_threshold integer not null default 3,
    window_days integer not null default 30,
    constraint noise_settings_recurrence_threshold_check check (recurrence_threshold between 1 and 1000),
    constraint noise_settings_window_days_check check (window_days between 1 and 365)
  ) with (fillfactor = 50);

  create table noise_inbox (
    org_id uuid not null constraint noise_inbox_org_id_fkey references orgs (id),
    scan_run_id uuid not null,
    repo_owner text,
    repo_name text,
    commit_sha text,
    seen_at timestamptz(3) not null,
    occurrence_count integer not null,
    -- A JSON array of up to 5,000 occurrences. Text without compression, to keep the analysis fast.
    occurrences text not null,
    constraint noise_inbox_pkey primary key (org_id, scan_run_id),
    constraint noise_inbox_scan_run_id_fkey foreign key (org_id, scan_run_id) references scan_runs (org_id, id)
      on delete cascade
  );
  alter table noise_inbox alter column occurrences set storage external;

  create table noise_sightings (
    org_id uuid not null constraint noise_sightings_org_id_fkey references orgs (id),
    run_key uuid not null,
    seen_at timestamptz(3) not null,
    -- When it leaves the window; null: it has left, and its pairs no longer count.
    counted_until timestamptz(3),
    repo_key uuid not null,
    pair_ids uuid[] not null,
    constraint noise_sightings_pkey primary key (org_id, run_key)
  );
  -- Hashes do not compress.
  alter table noise_sightings alter column pair_ids set storage external;

  create index noise_sightings_window_idx on noise_sightings (org_id, seen_at);
  create index noise_sightings_own_leaving_idx on noise_sightings (org_id, counted_until)
    where counted_until is not null;
  create index noise_sightings_leaving_idx on noise_sightings (counted_until) where counted_until is not null;
  create index noise_sightings_retention_idx on noise_sightings (seen_at);

  create table noise_patterns (
    org_id uuid not null constraint noise_patterns_org_id_fkey references orgs (id),
    pair_id uuid not null,
    repo_key uuid not null,
    fingerprint text not null,
    resource_address text not null,
    repo_owner text,
    repo_name text,
    resource_type text not null,
    attribute text not null,
    action text not null,
    classification text not null,
    matched_rule_id text,
    matched_custom_rule_id uuid,
    first_seen timestamptz(3) not null,
    last_seen timestamptz(3) not null,
    window_count integer not null,
    constraint noise_patterns_pkey primary key (org_id, pair_id, repo_key),
    constraint noise_patterns_window_count_check check (window_count >= 0)
  ) with (fillfactor = 85);

  -- A pattern with one occurrence does not recur, so most patterns are never in the lists' indexes.
  create index noise_patterns_list_idx
    on noise_patterns (org_id, window_count desc, last_seen desc, pair_id desc, repo_key desc) where window_count > 1;
  create index noise_patterns_repo_idx
    on noise_patterns (org_id, repo_key, window_count desc, last_seen desc, pair_id desc) where window_count > 1;
  create index noise_patterns_retention_idx on noise_patterns (last_seen) where window_count = 0;

  create table noise_suppressions (
    id uuid constraint noise_suppressions_pkey primary key,
    org_id uuid not null constraint noise_suppressions_org_id_fkey references orgs (id),
    pair_id uuid not null,
    fingerprint text not null,
    resource_address text not null,
    resource_type text,
    attribute text,
    reason text not null,
    duration text not null,
    is_false_positive boolean not null,
    suppressed_by text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    -- When its pair was suppressed again, after this one had ended.
    followed_at timestamptz(3),
    deleted_at timestamptz(3),
    constraint noise_suppressions_fingerprint_check check (fingerprint ~ '^[0-9a-f]{32}$'),
    constraint noise_suppressions_duration_check check (duration in ('7d', '30d', '90d', 'forever')),
    constraint noise_suppressions_expires_at_check check ((expires_at is null) = (duration = 'forever'))
  ) with (fillfactor = 85);

  create unique index noise_suppressions_pair_key on noise_suppressions (org_id, pair_id)
    where deleted_at is null and followed_at is null;
  create index noise_suppressions_list_idx on noise_suppressions (org_id, created_at desc, id desc)
    where deleted_at is null;
  create index noise_suppressions_live_idx on noise_suppressions (org_id, coalesce(expires_at, 'infinity'))
    where deleted_at is null;
  create index noise_suppressions_retention_idx on noise_suppressions (least(expires_at, deleted_at));

  select protect_org_rows('noise_settings');
  select protect_org_rows('noise_inbox');
  select protect_org_rows('noise_sightings');
  select protect_org_rows('noise_patterns');
  select protect_org_rows('noise_suppressions');

  grant select, insert, update on noise_settings, noise_sightings, noise_patterns, noise_suppressions to app_rw;
  grant select, insert, update, delete on noise_inbox to app_rw;
  grant select, delete on noise_sightings, noise_patterns, noise_suppressions to app_sweeper;
  grant select (org_id) on noise_inbox to app_sweeper;
`;
