import type { Db } from '../../db/index.ts';
import { PAYLOAD_PREFIX } from './payload.ts';
import { MAX_ATTEMPTS } from './run-service.ts';
import * as store from './store.ts';
import type { Claim, PayloadBlobs } from './types.ts';

/** How long jobs can be polled. @see the interface specification, Limits: job retention */
const JOB_RETENTION_MS = 7 * 86_400_000;
/** A younger stored plan may belong to a request that is about to write its job. */
const ORPHAN_AGE_MS = 3_600_000;
/** A pending job that no worker has taken for this long is added to the queue again. */
const PENDING_PATIENCE_MS = 60_000;

export interface JobMaintenanceDeps {
  platform_db: Db;
  /** Uses the role that can delete expired rows. */
  sweep_db: Db;
  now: () => Date;
  blobs: PayloadBlobs;
  enqueue: (trx: Db, payload: { org_id: string; id: string }) => Promise<void>;
  failExhausted: (claim: Claim) => Promise<void>;
  /** A running job without a heartbeat for this long has lost its worker. */
  silence_ms: number;
}

export function createJobMaintenance({
  platform_db,
  sweep_db,
  now,
  blobs,
  enqueue,
  failExhausted,
  silence_ms,
}: JobMaintenanceDeps) {
  const ago = (ms: number) => new Date(now().getTime() - ms);

  /** Requeues jobs of lost workers and lost queue entries, and ends jobs that repeatedly lose their worker. */
  async function reconcile(): Promise<void> {
    for (const claim of await store.listExhausted(platform_db, ago(silence_ms), MAX_ATTEMPTS))
      await failExhausted(claim);
    await platform_db.transaction(async (trx) => {
      const before = { running: ago(silence_ms), pending: ago(PENDING_PATIENCE_MS) };
      for (const { id, org_id } of await store.requeueStalled(trx, before, MAX_ATTEMPTS, now())) {
        await enqueue(trx, { org_id, id });
      }
    });
  }

  async function deleteOld(): Promise<void> {
    while ((await store.deleteEndedJobs(sweep_db, ago(JOB_RETENTION_MS))) > 0);
  }

  /** Removes stored plans which no unfinished job names: what a crash between two steps left behind. */
  async function deleteOrphanedPayloads(): Promise<void> {
    const old_enough = ago(ORPHAN_AGE_MS);
    for await (const keys of batches(oldKeys(old_enough), 500)) {
      const live = await store.listLivePayloads(platform_db, keys);
      for (const key of keys) if (!live.has(key)) await blobs.delete(key);
    }
  }

  async function* oldKeys(before: Date): AsyncIterable<string> {
    for await (const { key, modified_at } of blobs.list(PAYLOAD_PREFIX)) if (modified_at < before) yield key;
  }

  return { reconcile, deleteOld, deleteOrphanedPayloads };
}

export type JobMaintenance = ReturnType<typeof createJobMaintenance>;

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
