import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { ChildOutcome } from './types.ts';

/** A refresh of all sources of a glob. */
export interface GlobRefresh {
  id: string;
  glob_id: string;
  queued: number;
  created_at: Date;
}

/** One source of it. */
export interface RefreshItem {
  id: string;
  refresh_id: string;
  source_id: string;
  attempts: number;
}

/**
 * Writes a refresh with one item per source.
 *
 * @returns the ids of the items
 */
export async function insertRefresh(
  db: Db,
  orgId: string,
  refresh: GlobRefresh,
  { source_ids, due_at }: { source_ids: readonly string[]; due_at: Date },
): Promise<string[]> {
  const finished_at = refresh.queued === 0 ? refresh.created_at : null;
  await db('state_glob_refreshes').insert({ org_id: orgId, ...refresh, finished_at });
  const items = source_ids.map((source_id) => ({
    id: newId(),
    org_id: orgId,
    refresh_id: refresh.id,
    source_id,
    due_at,
  }));
  if (items.length > 0) await db('state_glob_refresh_items').insert(items);
  return items.map(({ id }) => id);
}

/** Starts an attempt of an item that has no outcome yet. */
export async function beginItem(db: Db, orgId: string, id: string, due_at: Date): Promise<RefreshItem | undefined> {
  const [item] = await db('state_glob_refresh_items')
    .where({ org_id: orgId, id, outcome: null })
    .update({ attempts: db.raw('attempts + 1'), due_at })
    .returning(['id', 'refresh_id', 'source_id', 'attempts']);
  return item;
}

/**
 * Records the outcome of an item once, and counts it in its refresh.
 *
 * @returns the refresh with its counts if this was its last item
 */
export async function settleItem(
  db: Db,
  orgId: string,
  { id, refresh_id }: Pick<RefreshItem, 'id' | 'refresh_id'>,
  outcome: ChildOutcome,
  now: Date,
): Promise<{ glob_id: string; refreshed: number; unchanged: number; failed: number } | undefined> {
  const settled = await db('state_glob_refresh_items').where({ org_id: orgId, id, outcome: null }).update({ outcome });
  if (settled === 0) return undefined;
  const [refresh] = await db('state_glob_refreshes')
    .where({ org_id: orgId, id: refresh_id })
    .update({
      [outcome]: db.raw('?? + 1', [outcome]),
      finished_at: db.raw('case when refreshed + unchanged + failed + 1 = queued then cast(? as timestamptz) end', [
        now,
      ]),
    })
    .returning(['glob_id', 'refreshed', 'unchanged', 'failed', 'finished_at']);
  const { finished_at, ...counts } = refresh;
  return finished_at === null ? undefined : counts;
}

/** Items of all organizations whose attempt did not end in time; the oldest first. */
export async function listOverdue(db: Db, now: Date, limit: number): Promise<{ org_id: string; id: string }[]> {
  return db('state_glob_refresh_items')
    .where({ outcome: null })
    .where('due_at', '<', now)
    .orderBy('due_at')
    .limit(limit)
    .select('org_id', 'id');
}

/** @returns undefined if the item is no longer overdue */
export async function postponeItem(
  db: Db,
  orgId: string,
  id: string,
  now: Date,
  due_at: Date,
): Promise<RefreshItem | undefined> {
  const [item] = await db('state_glob_refresh_items')
    .where({ org_id: orgId, id, outcome: null })
    .where('due_at', '<', now)
    .update({ due_at })
    .returning(['id', 'refresh_id', 'source_id', 'attempts']);
  return item;
}

/** Deletes up to `limit` refreshes with their items. @returns how many */
export async function deleteOldRefreshes(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('state_glob_refreshes').where('created_at', '<', before).limit(limit).select('id');
  return db('state_glob_refreshes').whereIn('id', old).delete();
}
