import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Apply } from './apply-service.ts';
import type { Seats } from './seats-service.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;
/** An event is queued again after this time, because the queue may have lost it. */
const PATIENCE_MS = 5 * 60_000;
const KEPT_MS = 400 * DAY_MS;
const AT_ONCE = 200;

export interface BillingMaintenanceDeps extends Pick<ServiceDeps, 'platform_db' | 'sweep_db' | 'now' | 'log'> {
  apply: Pick<Apply, 'reconcile'>;
  seats: Pick<Seats, 'report'>;
  is_configured: boolean;
  /** Queues an event once `trx` has committed. */
  enqueue: (trx: Db, event: { org_id: string; id: string }) => Promise<void>;
}

export function createBillingMaintenance(deps: BillingMaintenanceDeps) {
  const { platform_db, sweep_db, now, log, apply, seats, is_configured, enqueue } = deps;
  const ago = (ms: number) => new Date(now().getTime() - ms);

  async function requeue(): Promise<void> {
    if (!is_configured) return;
    await platform_db.transaction(async (trx) => {
      const lost = await store.takeLostEvents(trx, ago(PATIENCE_MS), now(), AT_ONCE);
      for (const { org_id, id } of lost) await enqueue(trx, { org_id, id });
    });
  }

  /** Reads every subscription once a day, in case an event was lost. */
  async function reconcile(): Promise<void> {
    if (!is_configured) return;
    const org_ids = await store.listUnread(platform_db, ago(DAY_MS), AT_ONCE);
    await forEach(org_ids, 'subscription not reconciled', apply.reconcile);
  }

  /** Reports seats above those of the plan once a day. */
  async function reportSeats(): Promise<void> {
    if (!is_configured) return;
    const day = now().toISOString().slice(0, 10);
    const org_ids = await store.listUnreportedSeats(platform_db, day, AT_ONCE);
    await forEach(org_ids, 'seats not reported', (org_id) => seats.report(org_id, day));
  }

  /** A failure of one organization does not keep the others waiting; the next sweep tries it again. */
  async function forEach(org_ids: string[], failure: string, work: (org_id: string) => Promise<void>): Promise<void> {
    for (const org_id of org_ids) {
      await work(org_id).catch((error) => log.warn({ err: error, org_id }, failure));
    }
  }

  async function deleteOld(): Promise<void> {
    await inBatches((limit) => store.deleteEvents(sweep_db, ago(KEPT_MS), limit));
  }

  return { requeue, reconcile, reportSeats, deleteOld };
}
