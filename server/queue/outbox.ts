import type { Db } from '../db/index.ts';
import { newId } from '../lib/ids.ts';
import { inBatches } from '../lib/in-batches.ts';
import type { QueueName } from '../lib/queue-names.ts';
import type { EnqueueOptions, JobPayload, Sweep } from './types.ts';

export const OUTBOX_CHANNEL = 'outbox';
/** How long rows stay leased by a relay that was killed. */
const LEASE_MS = 10_000;
const RETENTION_DAYS = 7;

export interface OutboxRow {
  id: string;
  topic: QueueName;
  payload: JobPayload & { place?: number };
}

/**
 * Writes an outbox row that is published to a queue after the caller's transaction has committed, and never if it rolls
 * back.
 *
 * @param trx the transaction that writes the row
 */
export async function enqueue(
  trx: Db,
  queue: QueueName,
  { org_id, id }: JobPayload,
  { at, place = 0 }: EnqueueOptions = {},
): Promise<void> {
  await trx.raw(
    `with written as (insert into outbox (id, topic, payload, available_at) values (?, ?, ?, coalesce(?, now())))
     select pg_notify('${OUTBOX_CHANNEL}', '')`,
    [newId(), queue, JSON.stringify({ org_id, id, place }), at ?? null],
  );
}

/** The same for many rows of one organization, with a single statement. */
export async function enqueueAll(trx: Db, queue: QueueName, org_id: string, row_ids: readonly string[]): Promise<void> {
  await trx.raw(
    `with written as (
       insert into outbox (id, topic, payload, available_at)
       select id, ?, payload, now() from unnest(cast(? as uuid[]), cast(? as jsonb[])) as row (id, payload))
     select pg_notify('${OUTBOX_CHANNEL}', '')`,
    [queue, row_ids.map(() => newId()), row_ids.map((id) => JSON.stringify({ org_id, id, place: 0 }))],
  );
}

/**
 * Leases up to `limit` waiting rows, oldest first, and skips rows that another relay has leased. Does not wait for the
 * disk: if a crash loses a lease, the job is published again under the same id.
 */
export async function leaseOutbox(db: Db, limit: number): Promise<OutboxRow[]> {
  const { rows } = await db.raw(
    `update outbox set attempts = attempts + 1, available_at = now() + make_interval(secs => ?)
     where id in (
       select id from outbox where published_at is null and available_at <= now()
       order by available_at, id limit ? for update skip locked)
       and (select set_config('synchronous_commit', 'off', true)) = 'off'
     returning id, topic, payload`,
    [LEASE_MS / 1000, limit],
  );
  return rows.sort((a: OutboxRow, b: OutboxRow) => (a.id < b.id ? -1 : 1));
}

export async function markPublished(db: Db, ids: string[]): Promise<void> {
  await db.raw('update outbox set published_at = now() where id = any(?)', [ids]);
}

/** Releases leased rows, for an attempt in a second. */
export async function returnToOutbox(db: Db, ids: string[]): Promise<void> {
  await db.raw("update outbox set available_at = now() + interval '1 second' where id = any(?)", [ids]);
}

/** @param db the sweeper's pool */
export function outboxSweeps(db: Db): Sweep[] {
  return [{ name: 'outbox.purge', every_ms: 3_600_000, run: () => purge(db) }];
}

async function purge(db: Db): Promise<void> {
  await inBatches(async (limit) => {
    const { rowCount } = await db.raw(
      `delete from outbox where id in (
         select id from outbox where published_at < now() - make_interval(days => ?) limit ?)`,
      [RETENTION_DAYS, limit],
    );
    return rowCount;
  });
}
