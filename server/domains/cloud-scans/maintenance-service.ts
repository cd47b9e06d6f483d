import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import type { EndScan } from './end-service.ts';
import * as store from './runs-store.ts';

/** @see the contract decisions, D82 */
const NEVER_STARTED_MS = 60 * 60_000;
const ABANDONED_MS = 30 * 60_000;
/** A pending scan is queued again after this time, because the queue may have lost it. */
const PENDING_PATIENCE_MS = 5 * 60_000;

export interface ScanMaintenanceDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'now'> {
  end: EndScan;
  /** Queues a scan once `trx` has committed. */
  enqueue: (trx: Db, run: store.RunRef) => Promise<void>;
  /** A running scan without a heartbeat for this long has lost its worker. */
  silence_ms: number;
}

export function createScanMaintenance({ db, platform_db, end, enqueue, silence_ms, now }: ScanMaintenanceDeps) {
  const ago = (ms: number) => new Date(now().getTime() - ms);

  /** Ends scans that wait or are silent for too long, and queues those again that have lost their worker or entry. */
  async function reconcile(): Promise<void> {
    const overdue = { created: ago(NEVER_STARTED_MS), heartbeat: ago(ABANDONED_MS) };
    for (const run of await store.listOverdue(platform_db, overdue)) await timeOut(run);
    const silent = ago(silence_ms);
    for (const run of await store.listSilent(platform_db, silent)) {
      await queueAgain(run, (trx) => store.returnSilent(trx, run, silent, now()));
    }
    const forgotten = ago(PENDING_PATIENCE_MS);
    for (const run of await store.listForgotten(platform_db, forgotten)) {
      await queueAgain(run, (trx) => store.requeue(trx, run, forgotten, now()));
    }
  }

  async function timeOut(run: store.RunRef): Promise<void> {
    const message = 'No worker has completed the scan in time. Check that workers are running, and scan again.';
    await db.inOrg(run.org_id, (trx) => end(trx, run, { code: 'timeout', message, retryable: true }));
  }

  async function queueAgain(run: store.RunRef, change: (trx: Db) => Promise<boolean>): Promise<void> {
    await db.inOrg(run.org_id, async (trx) => {
      if (await change(trx)) await enqueue(trx, run);
    });
  }

  return { reconcile };
}

export type ScanMaintenance = ReturnType<typeof createScanMaintenance>;
