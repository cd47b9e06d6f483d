import type { ServiceDeps } from '../../contract/service-deps.ts';
import { inBatches } from '../../lib/in-batches.ts';
import { deleteDeliveries } from './deliveries-store.ts';
import { deletePullRequests } from './episodes-store.ts';
import { deleteEvents } from './events-store.ts';
import { deleteThreads } from './threads-store.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
/** A pull request that is older can be reported again. */
const KEPT_PULL_REQUEST_DAYS = 180;

export function createMaintenance({ sweep_db, now }: Pick<ServiceDeps, 'sweep_db' | 'now'>) {
  /** Deletes what nobody looks up anymore; a pending delivery is kept with its event. */
  async function deleteOld(): Promise<void> {
    const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
    await inBatches((limit) => deleteDeliveries(sweep_db, daysAgo(KEPT_DAYS), limit));
    await inBatches((limit) => deleteEvents(sweep_db, daysAgo(KEPT_DAYS), limit));
    await inBatches((limit) => deleteThreads(sweep_db, daysAgo(KEPT_DAYS), limit));
    await inBatches((limit) => deletePullRequests(sweep_db, daysAgo(KEPT_PULL_REQUEST_DAYS), limit));
  }

  return { deleteOld };
}
