import type { Db } from '../../db/index.ts';
import type { QuotaWindows } from '../entitlements/index.ts';
import type { BucketKind, Used } from './quota.ts';

export interface ReservedJob {
  id: string;
  org_id: string;
}

/** Adds one to a bucket below its cap; false leaves it unchanged. The bucket stays locked either way. */
export async function increment(
  db: Db,
  orgId: string,
  { kind, window_start, cap }: { kind: BucketKind; window_start: Date; cap: number },
): Promise<boolean> {
  if (cap === 0) return false;
  const { rows } = await db.raw(
    `insert into llm_quota_buckets as b (org_id, kind, window_start, used) values (:orgId, :kind, :window_start, 1)
     on conflict (org_id, kind, window_start) do update set used = b.used + 1 where :cap = -1 or b.used < :cap
     returning used`,
    { orgId, kind, window_start, cap },
  );
  return rows.length === 1;
}

export async function findUsed(db: Db, orgId: string, { week_start, hour_start }: QuotaWindows): Promise<Used> {
  const rows: { kind: BucketKind; used: number }[] = await db('llm_quota_buckets')
    .where({ org_id: orgId })
    .whereRaw(`(kind, window_start) in (('weekly', ?), ('hourly', ?))`, [week_start, hour_start])
    .select('kind', 'used');
  return { weekly: 0, hourly: 0, ...Object.fromEntries(rows.map(({ kind, used }) => [kind, used])) };
}

/**
 * Releases a job's reservation in its buckets, the weekly one first as everywhere; only once.
 *
 * @returns whether this call did it
 */
export async function release(db: Db, orgId: string, job_id: string): Promise<boolean> {
  const [held] = await db('llm_jobs')
    .where({ org_id: orgId, id: job_id, reservation: 'held' })
    .update({ reservation: 'released' })
    .returning(['reserved_week', 'reserved_hour']);
  if (held === undefined) return false;
  await decrement(db, orgId, 'weekly', held.reserved_week);
  await decrement(db, orgId, 'hourly', held.reserved_hour);
  return true;
}

async function decrement(db: Db, orgId: string, kind: BucketKind, window_start: Date): Promise<void> {
  await db('llm_quota_buckets')
    .where({ org_id: orgId, kind, window_start })
    .where('used', '>', 0)
    .update({ used: db.raw('used - 1') });
}

/** Makes a job's reservation final. @returns whether there was one */
export async function settle(db: Db, orgId: string, job_id: string): Promise<boolean> {
  const changed = await db('llm_jobs')
    .where({ org_id: orgId, id: job_id, reservation: 'held' })
    .update({ reservation: 'settled' });
  return changed === 1;
}

/** Ended jobs of all organizations that still have a reservation; at most 1,000, oldest first. */
export async function listForgotten(db: Db, ended_before: Date): Promise<ReservedJob[]> {
  return db('llm_jobs')
    .where('reservation', 'held')
    .where('finished_at', '<', ended_before)
    .orderBy('finished_at')
    .limit(1000)
    .select('id', 'org_id');
}

export async function deleteBuckets(db: Db, before: Date): Promise<void> {
  await db('llm_quota_buckets').where('window_start', '<', before).delete();
}
