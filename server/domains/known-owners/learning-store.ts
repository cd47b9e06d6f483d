import type { OwnerKind } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';

/** First part of the advisory lock, which orders the analyses of one organization that end at the same time. */
const LEARNING_LOCK = 7_104_881;

/**
 * Counts the owners that an analysis saw, and suggests those that are not listed. Owners that people decided on keep
 * their status. If the list is longer than `max`, suggestions that the fewest plans named give way, the oldest first.
 *
 * Of two analyses that end at the same time, the second one does not see the suggestions of the first: the list is then
 * longer by at most one plan's owners, until the next analysis.
 */
export async function learnOwners(
  db: Db,
  orgId: string,
  owners: readonly { owner: string; kind: OwnerKind }[],
  { now, max }: { now: Date; max: number },
): Promise<void> {
  await db.raw(
    `with locked as materialized (
       select pg_advisory_xact_lock(:lock, hashtext(:org_id))
     ), seen as (
       select * from unnest(cast(:ids as uuid[]), cast(:owners as text[]), cast(:kinds as text[])) as s (id, owner, kind)
     ), listed as materialized (
       select k.id, k.owner, k.status, k.plans_seen + (s.owner is not null)::int as plans_seen,
         case when s.owner is null then k.last_seen_at else cast(:now as timestamptz) end as last_seen_at
       from locked, known_owners k left join seen s using (owner) where k.org_id = :org_id
     ), suggestion as (
       select id, plans_seen, last_seen_at from listed where status = 'suggested'
       union all
       select id, 1, :now from seen where owner not in (select owner from listed)
     ), surplus as materialized (
       select id from suggestion order by plans_seen desc, last_seen_at desc, id desc
       offset greatest(0, :max - (select count(*) from listed where status <> 'suggested'))
     ), removed as (
       delete from known_owners
       where org_id = :org_id and status = 'suggested' and id in (select id from surplus)
     )
     insert into known_owners as k (id, org_id, owner, kind, status, source, first_seen_at, last_seen_at, plans_seen,
       created_at, updated_at)
     select s.id, :org_id, owner, s.kind, 'suggested', 'learned', :now, :now, 1, :now, :now
     from seen s left join listed l using (owner)
     where coalesce(l.id, s.id) not in (select id from surplus)
     on conflict (org_id, owner) do update set
       first_seen_at = coalesce(k.first_seen_at, excluded.first_seen_at),
       last_seen_at = greatest(k.last_seen_at, excluded.last_seen_at),
       plans_seen = k.plans_seen + 1`,
    {
      lock: LEARNING_LOCK,
      org_id: orgId,
      ids: owners.map(() => newId()),
      owners: owners.map(({ owner }) => owner),
      kinds: owners.map(({ kind }) => kind),
      now,
      max,
    },
  );
}
