import type { Db } from '../../db/index.ts';
import { countRows, readPage } from '../../db/paging.ts';
import { newId } from '../../lib/ids.ts';
import { SUPPRESSION_FIELDS } from './fields.ts';
import { pairKey } from './keys.ts';
import type { LiveSuppression, NewSuppressions, Pair, SuppressionRecord } from './types.ts';

/** Must match the condition of the partial index. */
const LIVE = "coalesce(expires_at, 'infinity') > ?";
/** The keys of pairs that come as two lists, see `columnsOf`. */
const PAIR_IDS = `select ${pairKey('f', 'a')}
  from unnest(cast(:fingerprints as text[]), cast(:addresses as text[])) as pair (f, a)`;

/** All active suppressions for an analysis; an organization has a limited number. */
export async function listLive(db: Db, orgId: string, now: Date): Promise<LiveSuppression[]> {
  const rows: (Omit<LiveSuppression, 'expires_at'> & { expires_at: Date | null })[] = await db('noise_suppressions')
    .where({ org_id: orgId })
    .whereNull('deleted_at')
    .whereRaw(LIVE, [now])
    .select('id', 'fingerprint', 'resource_address', 'expires_at');
  return rows.map((row) => ({ ...row, expires_at: row.expires_at?.toISOString() ?? null }));
}

export async function countLive(db: Db, orgId: string, now: Date): Promise<number> {
  return countRows(db('noise_suppressions').where({ org_id: orgId }).whereNull('deleted_at').whereRaw(LIVE, [now]));
}

/** Moves expired suppressions of the pairs into the history, before the pairs are suppressed again. */
export async function archiveEnded(db: Db, orgId: string, pairs: readonly Pair[], now: Date): Promise<void> {
  await db.raw(
    `update noise_suppressions set superseded_at = :now
     where org_id = :org_id and deleted_at is null and superseded_at is null and expires_at <= :now
       and pair_id in (${PAIR_IDS})`,
    { org_id: orgId, now, ...toColumns(pairs) },
  );
}

/** How many of the pairs, without duplicates, are currently suppressed. */
export async function countLiveAmong(db: Db, orgId: string, pairs: readonly Pair[], now: Date): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::int as count from noise_suppressions
     where org_id = :org_id and deleted_at is null and superseded_at is null and coalesce(expires_at, 'infinity') > :now
       and pair_id in (${PAIR_IDS})`,
    { org_id: orgId, now, ...toColumns(pairs) },
  );
  return rows[0].count;
}

/**
 * Suppresses pairs without duplicates. A pair that is already suppressed keeps its id and is updated.
 *
 * @returns one record for each pair, in their order
 */
export async function upsert(db: Db, orgId: string, input: NewSuppressions): Promise<SuppressionRecord[]> {
  const { pairs, ...common } = input;
  const { rows } = await db.raw(
    `insert into noise_suppressions as s
       (id, org_id, pair_id, fingerprint, resource_address, resource_type, attribute, reason, duration,
        is_false_positive, suppressed_by, created_at, expires_at)
     select pair.id, :org_id, ${pairKey('fingerprint', 'address')}, fingerprint, address, seen.resource_type,
       seen.attribute, :reason, :duration, :is_false_positive, :suppressed_by, :created_at, :expires_at
     from unnest(cast(:ids as uuid[]), cast(:fingerprints as text[]), cast(:addresses as text[]))
       as pair (id, fingerprint, address)
     left join lateral (
       select p.resource_type, p.attribute from noise_patterns p
       where p.org_id = :org_id and p.pair_id = ${pairKey('pair.fingerprint', 'pair.address')}
       order by p.last_seen desc limit 1
     ) seen on true
     on conflict (org_id, pair_id) where deleted_at is null and superseded_at is null do update set
       resource_type = coalesce(excluded.resource_type, s.resource_type),
       attribute = coalesce(excluded.attribute, s.attribute),
       reason = excluded.reason,
       duration = excluded.duration,
       is_false_positive = excluded.is_false_positive,
       suppressed_by = excluded.suppressed_by,
       created_at = excluded.created_at,
       expires_at = excluded.expires_at
     returning ${SUPPRESSION_FIELDS.map((column) => `s.${column}`).join(', ')}`,
    { org_id: orgId, ...common, ...toColumns(pairs), ids: pairs.map(() => newId()) },
  );
  const toPairKey = (pair: Pair) => `${pair.fingerprint} ${pair.resource_address}`;
  const made = new Map<string, SuppressionRecord>(rows.map((row: SuppressionRecord) => [toPairKey(row), row]));
  return pairs.flatMap((pair) => made.get(toPairKey(pair)) ?? []);
}

/** One page, newest first, and the total. */
export async function listSuppressions(
  db: Db,
  orgId: string,
  { include_expired, now }: { include_expired: boolean; now: Date },
  page: { limit: number; offset: number },
): Promise<{ suppressions: SuppressionRecord[]; total: number }> {
  const matching = db('noise_suppressions').where({ org_id: orgId }).whereNull('deleted_at');
  if (!include_expired) matching.whereRaw(LIVE, [now]);
  const { rows, total } = await readPage<SuppressionRecord>(db, {
    matching,
    table: 'noise_suppressions',
    order: ['created_at', 'id'],
    columns: SUPPRESSION_FIELDS,
    page,
    countTotal: () => countRows(matching),
  });
  return { suppressions: rows, total };
}

/** @returns whether there was such a suppression */
export async function remove(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  const removed = await db('noise_suppressions')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .update({ deleted_at: now });
  return removed > 0;
}

/** Deletes suppressions that ended before; @returns the number of deleted rows, at most `limit` */
export async function deleteEnded(db: Db, before: Date, limit: number): Promise<number> {
  return db('noise_suppressions')
    .whereIn(
      'id',
      db('noise_suppressions').whereRaw('least(expires_at, deleted_at) < ?', [before]).limit(limit).select('id'),
    )
    .whereRaw('least(expires_at, deleted_at) < ?', [before])
    .delete();
}

function toColumns(pairs: readonly Pair[]) {
  return {
    fingerprints: pairs.map((pair) => pair.fingerprint),
    addresses: pairs.map((pair) => pair.resource_address),
  };
}
