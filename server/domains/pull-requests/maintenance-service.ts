import type { BlobStore } from '../../adapters/blob/types.ts';
import type { Db } from '../../db/index.ts';
import { PAYLOAD_PREFIX } from './payload.ts';
import { listLivePayloads } from './plans-store.ts';
import * as store from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How long a queue entry of a pull request with events is expected to exist. */
const QUEUE_GRACE_MS = 30_000;
/** Maximum interval between queue entries of a pull request that keeps failing. */
const REQUEUE_EVERY_MS = 5 * MINUTE_MS;
const ENDED_RETENTION_MS = 90 * DAY_MS;
const OPEN_RETENTION_MS = 365 * DAY_MS;
const PAYLOAD_RETENTION_MS = 7 * DAY_MS;
/** A younger stored plan may belong to a run whose rows are about to be written. */
const ORPHAN_AGE_MS = 60 * MINUTE_MS;
const REQUEUED_AT_ONCE = 100;
const DELETED_AT_ONCE = 1_000;
const KEYS_AT_ONCE = 500;

export interface MaintenanceDeps {
  platform_db: Db;
  sweep_db: Db;
  blobs: BlobStore;
  now: () => Date;
  enqueue: (trx: Db, payload: { org_id: string; id: string }) => Promise<void>;
}

export function createMaintenance({ platform_db, sweep_db, blobs, now, enqueue }: MaintenanceDeps) {
  const ago = (ms: number) => new Date(now().getTime() - ms);

  /** Requeues pull requests whose queue entry is lost or whose worker has died. */
  async function requeueForgotten(): Promise<void> {
    let requeued = REQUEUED_AT_ONCE;
    while (requeued === REQUEUED_AT_ONCE) requeued = await platform_db.transaction(requeueSome);
  }

  async function requeueSome(trx: Db): Promise<number> {
    const times = { before: ago(QUEUE_GRACE_MS), requeued_before: ago(REQUEUE_EVERY_MS), now: now() };
    const forgotten = await store.markForgotten(trx, times, REQUEUED_AT_ONCE);
    for (const { org_id, id } of forgotten) await enqueue(trx, { org_id, id });
    return forgotten.length;
  }

  async function deleteOld(): Promise<void> {
    const times = { ended_before: ago(ENDED_RETENTION_MS), open_before: ago(OPEN_RETENTION_MS) };
    while ((await store.deleteOldPullRequests(sweep_db, times, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  }

  /** Deletes stored plans without a row, and expired ones. */
  async function deletePayloads(): Promise<void> {
    let keys: string[] = [];
    for await (const { key, modified_at } of blobs.list(PAYLOAD_PREFIX)) {
      if (modified_at < ago(PAYLOAD_RETENTION_MS)) await blobs.delete(key);
      else if (modified_at < ago(ORPHAN_AGE_MS)) keys.push(key);
      if (keys.length < KEYS_AT_ONCE) continue;
      await deleteOrphans(keys);
      keys = [];
    }
    await deleteOrphans(keys);
  }

  async function deleteOrphans(keys: readonly string[]): Promise<void> {
    const live = await listLivePayloads(sweep_db, keys);
    for (const key of keys) if (!live.has(key)) await blobs.delete(key);
  }

  return { requeueForgotten, deleteOld, deletePayloads };
}
