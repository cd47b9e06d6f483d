import type { BlobStore } from '../../adapters/blob/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { deleteOrphans } from '../../lib/delete-orphans.ts';
import { inBatches } from '../../lib/in-batches.ts';
import { PAYLOAD_PREFIX } from './payload.ts';
import { MAX_ATTEMPTS } from './run-service.ts';
import * as store from './store.ts';
import type { Claim } from './types.ts';

/** How long jobs can be polled. @see the interface specification, Limits: job retention */
const JOB_RETENTION_MS = 7 * 86_400_000;
/** A younger stored plan may belong to a request that is about to write its job. */
const ORPHAN_AGE_MS = 3_600_000;
/** A pending job that no worker has taken for this long is added to the queue again. */
const PENDING_PATIENCE_MS = 60_000;

export interface JobMaintenanceDeps extends Pick<ServiceDeps, 'platform_db' | 'sweep_db' | 'now'> {
  blobs: Pick<BlobStore, 'list' | 'delete'>;
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
    const before = ago(JOB_RETENTION_MS);
    await inBatches((limit) => store.deleteEndedJobs(sweep_db, before, limit));
  }

  /** Removes stored plans which no unfinished job names: what a crash between two steps left behind. */
  async function deleteOrphanedPayloads(): Promise<void> {
    const listLive = (keys: readonly string[]) => store.listLivePayloads(platform_db, keys);
    await deleteOrphans(blobs, { prefix: PAYLOAD_PREFIX, before: ago(ORPHAN_AGE_MS), listLive });
  }

  return { reconcile, deleteOld, deleteOrphanedPayloads };
}

export type JobMaintenance = ReturnType<typeof createJobMaintenance>;
