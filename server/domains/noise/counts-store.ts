import type { NoiseOccurrence } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import { pairKey, repoKey, runKey } from './keys.ts';
import type { NoiseRun } from './types.ts';

/** Days of 24 hours, independent of the database's time zone. */
const WINDOW = 'make_interval(hours => 24 * :window_days)';

/** Stores the noise of an analysis, to be counted later; if a run is recorded twice, the later one is used. */
export async function putInInbox(
  db: Db,
  orgId: string,
  run: NoiseRun,
  occurrences: readonly NoiseOccurrence[],
): Promise<void> {
  await db('noise_inbox')
    .insert({
      org_id: orgId,
      scan_run_id: run.scan_run_id,
      repo_owner: run.repo_owner,
      repo_name: run.repo_name,
      commit_sha: run.commit_sha,
      pr_number: run.pr_number,
      seen_at: run.seen_at,
      occurrence_count: occurrences.length,
      occurrences: keepable(occurrences),
    })
    .onConflict(['org_id', 'scan_run_id'])
    .merge();
}

/** As JSON without NUL and unpaired surrogates, which a plan can contain and PostgreSQL cannot store. */
function keepable(occurrences: readonly NoiseOccurrence[]): string {
  const text = JSON.stringify(occurrences);
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text;
  return JSON.stringify(occurrences, (_, value) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\u{FFFD}') : value,
  );
}

/**
 * Counts the oldest waiting analysis. A pull request, or a commit without one, has the time of its last analysis and
 * counts each pair once, and so does a run that is recorded again; one that had left the window enters it with its
 * current pairs.
 *
 * @param db has locked the organization's settings, see `lockSettings`
 * @returns the number of its occurrences; null if none waited
 */
export async function countNext(
  db: Db,
  orgId: string,
  { window_days, now }: { window_days: number; now: Date },
): Promise<number | null> {
  const { rows } = await db.raw(
    `with taken as (
       delete from noise_inbox
       where org_id = :org_id and scan_run_id = (
         select scan_run_id from noise_inbox where org_id = :org_id order by seen_at, scan_run_id limit 1)
       returning *
     ), run as materialized (
       select org_id, repo_owner, repo_name, seen_at, seen_at + ${WINDOW} as until,
         ${repoKey('repo_owner', 'repo_name')} as repo_key, ${runKey('taken')} as run_key
       from taken
     ), seen as materialized (
       select distinct on (pair_id) ${pairKey('o.fingerprint', 'o.address')} as pair_id, o.*
       from taken, json_to_recordset(taken.occurrences::json) as o (fingerprint text, address text, resource_type text,
         attribute text, action text, classification text, matched_rule_id text, matched_custom_rule_id uuid)
       order by pair_id
     ), before as materialized (
       select s.pair_ids from run join noise_sightings s on s.org_id = :org_id and s.run_key = run.run_key
       where s.counted_until is not null
     ), counted as materialized (
       select unnest(pair_ids) as pair_id from before
     ), sighting as (
       insert into noise_sightings as s (org_id, run_key, seen_at, counted_until, repo_key, pair_ids)
       select run.org_id, run.run_key, run.seen_at, case when run.until > :now then run.until end, run.repo_key,
         array(select pair_id from counted union select pair_id from seen)
       from run
       on conflict (org_id, run_key) do update set
         seen_at = greatest(s.seen_at, excluded.seen_at),
         counted_until = greatest(s.counted_until, excluded.counted_until),
         pair_ids = excluded.pair_ids
     ), pattern as (
       insert into noise_patterns as p
         (org_id, pair_id, repo_key, fingerprint, resource_address, repo_owner, repo_name, resource_type, attribute,
          action, classification, matched_rule_id, matched_custom_rule_id, first_seen, last_seen, window_count)
       select run.org_id, pair_id, run.repo_key, fingerprint, address, run.repo_owner, run.repo_name, resource_type,
         attribute, action, classification, matched_rule_id, matched_custom_rule_id, run.seen_at, run.seen_at,
         case when counted.pair_id is null and (run.until > :now or exists (select from before)) then 1 else 0 end
       from run cross join seen left join counted using (pair_id)
       on conflict (org_id, pair_id, repo_key) do update set
         classification = excluded.classification,
         matched_rule_id = excluded.matched_rule_id,
         matched_custom_rule_id = excluded.matched_custom_rule_id,
         first_seen = least(p.first_seen, excluded.first_seen),
         last_seen = greatest(p.last_seen, excluded.last_seen),
         window_count = p.window_count + excluded.window_count
     )
     select occurrence_count from taken`,
    { org_id: orgId, window_days, now },
  );
  return rows[0]?.occurrence_count ?? null;
}

/**
 * Stops counting what has left the window, the oldest sightings first.
 *
 * @param db has locked the organization's settings
 * @returns the number of removed sightings; at most `limit`
 */
export async function expireSightings(db: Db, orgId: string, now: Date, limit: number): Promise<number> {
  const { rows } = await db.raw(
    `with leaving as materialized (
       select run_key, repo_key, pair_ids from noise_sightings
       where org_id = :org_id and counted_until <= :now order by counted_until limit :limit
     ), gone as (
       update noise_sightings s set counted_until = null from leaving
       where s.org_id = :org_id and s.run_key = leaving.run_key
       returning 1
     ), less as (
       select repo_key, pair_id, count(*) as by from leaving, unnest(pair_ids) pair_id group by repo_key, pair_id
     ), pattern as (
       update noise_patterns p set window_count = window_count - less.by from less
       where p.org_id = :org_id and p.repo_key = less.repo_key and p.pair_id = less.pair_id
     )
     select count(*)::int as gone from gone`,
    { org_id: orgId, now, limit },
  );
  return rows[0].gone;
}

/**
 * Applies another window; only sightings that enter or leave are changed.
 *
 * @param db has locked the organization's settings
 */
export async function changeWindow(db: Db, orgId: string, window_days: number, now: Date): Promise<void> {
  await db.raw(
    `with sighting as materialized (
       select run_key, repo_key, counted_until is not null as was_counted, seen_at + ${WINDOW} as until,
         seen_at + ${WINDOW} > :now as is_counted
       from noise_sightings
       where org_id = :org_id and (counted_until is not null or seen_at > cast(:now as timestamptz) - ${WINDOW})
     ), dated as (
       update noise_sightings s set counted_until = case when is_counted then until end from sighting
       where s.org_id = :org_id and s.run_key = sighting.run_key
     ), change as (
       select s.repo_key, pair_id, sum(case when is_counted then 1 else -1 end) as by
       from sighting join noise_sightings s on s.org_id = :org_id and s.run_key = sighting.run_key, unnest(pair_ids) pair_id
       where was_counted <> is_counted
       group by s.repo_key, pair_id
     )
     update noise_patterns p set window_count = window_count + change.by from change
     where p.org_id = :org_id and p.repo_key = change.repo_key and p.pair_id = change.pair_id and change.by <> 0`,
    { org_id: orgId, window_days, now },
  );
}

/** Up to 100 organizations with sightings to count or to remove. */
export async function listOrgsToSettle(db: Db, now: Date, except: readonly string[]): Promise<string[]> {
  const { rows } = await db.raw(
    `select org_id from (
       (select distinct org_id from noise_inbox where org_id <> all(cast(:except as uuid[])) limit 100)
       union
       (select distinct org_id from noise_sightings
        where counted_until <= :now and org_id <> all(cast(:except as uuid[])) limit 100)
     ) as due limit 100`,
    { now, except: [...except] },
  );
  return rows.map((row: { org_id: string }) => row.org_id);
}

/** @returns the number of deleted rows; at most `limit` of each kind */
export async function deleteOld(db: Db, before: Date, limit: number): Promise<number> {
  const sightings = await deleteSome(db, 'noise_sightings', 'counted_until is null and seen_at < ?', before, limit);
  const patterns = await deleteSome(db, 'noise_patterns', 'window_count = 0 and last_seen < ?', before, limit);
  return sightings + patterns;
}

async function deleteSome(db: Db, table: string, old: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.raw(
    `delete from ${table} where ctid = any(array(select ctid from ${table} where ${old} limit ${limit}))`,
    [before],
  );
  return rowCount;
}
