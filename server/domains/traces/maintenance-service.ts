import type { BlobStore } from '../../adapters/blob/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { deleteOrphans as deleteOrphanedBlobs } from '../../lib/delete-orphans.ts';
import { inBatches } from '../../lib/in-batches.ts';
import { BODY_PREFIX, bodyKey, parseTraceId } from './body.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;
const ROW_RETENTION_MS = 400 * DAY_MS;
/** A body that is being written for longer belongs to a dead process. */
const PENDING_PATIENCE_MS = 600_000;
/** A write that was abandoned can still complete within this time. */
const LATE_WRITE_MS = 3_600_000;
const BODIES_AT_ONCE = 100;

export interface TraceMaintenanceDeps extends Pick<ServiceDeps, 'sweep_db' | 'now' | 'log'> {
  blobs: Pick<BlobStore, 'list' | 'delete'>;
  body_retention_ms: number;
}

/**
 * Ends and deletes traces in batches. Each batch leaves a state from which the next run continues; a body is deleted
 * after its row says so, and the row after its body.
 */
export function createMaintenance({ sweep_db, blobs, now, log, body_retention_ms }: TraceMaintenanceDeps) {
  const ago = (ms: number) => new Date(now().getTime() - ms);

  /** Ends traces whose writer died. */
  async function failStuck(): Promise<void> {
    const before = ago(PENDING_PATIENCE_MS);
    await inBatches((limit) => store.changeOld(sweep_db, { from: ['pending'], to: 'failed', before, limit }));
  }

  async function deleteOld(): Promise<void> {
    const before = ago(body_retention_ms);
    await inBatches((limit) =>
      store.changeOld(sweep_db, { from: ['pending', 'ready', 'failed'], to: 'expired', before, limit }),
    );
    await deleteExpiredBodies();
    await inBatches((limit) => store.deleteOld(sweep_db, ago(ROW_RETENTION_MS), limit));
  }

  /** A body that cannot be deleted now does not block others, and is retried at the next run. */
  async function deleteExpiredBodies(): Promise<void> {
    const failed_before = ago(LATE_WRITE_MS);
    const except: string[] = [];
    for (;;) {
      const bodies = await store.listDeletableBodies(sweep_db, { failed_before, except, limit: BODIES_AT_ONCE });
      const gone = await deleteBodies(bodies, except);
      await store.markBodyDeleted(sweep_db, gone);
      // If a store deletes nothing at all, the next hundred are not attempted.
      if (bodies.length < BODIES_AT_ONCE || gone.length === 0) return;
    }
  }

  async function deleteBodies(bodies: readonly store.BodyOwner[], kept: string[]): Promise<string[]> {
    const ends = await Promise.allSettled(bodies.map(({ org_id, id }) => blobs.delete(bodyKey(org_id, id))));
    return bodies.flatMap(({ id }, i) => {
      const end = ends[i];
      if (end?.status !== 'rejected') return [id];
      log.warn({ err: end.reason, trace_id: id }, 'body of a trace not deleted');
      kept.push(id);
      return [];
    });
  }

  /** Deletes bodies without a row, which a store wrote late, after their row had ended. */
  async function deleteOrphans(): Promise<void> {
    await deleteOrphanedBlobs(blobs, { prefix: BODY_PREFIX, before: ago(LATE_WRITE_MS), listLive });
  }

  /** A key that does not belong to a trace is kept. */
  async function listLive(keys: readonly string[]): Promise<Set<string>> {
    const ids = new Map(keys.map((key) => [key, parseTraceId(key)]));
    const live_ids = await store.listLiveBodies(
      sweep_db,
      [...ids.values()].filter((id) => id !== undefined),
    );
    return new Set(keys.filter((key) => ids.get(key) === undefined || live_ids.has(ids.get(key)!)));
  }

  return { failStuck, deleteOld, deleteOrphans };
}

export type TraceMaintenance = ReturnType<typeof createMaintenance>;
