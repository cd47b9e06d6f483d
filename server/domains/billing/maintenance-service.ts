import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Apply } from './apply-service.ts';
import * as due from './due-store.ts';
import type { Duplicates } from './duplicates-service.ts';
import type { Seats } from './seats-service.ts';
import * as store from './store.ts';
import type { Finding } from './types.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 400 * DAY_MS;
const AT_ONCE = 200;

type Postpone = (db: Db, org_id: string, now: Date) => Promise<void>;

export interface BillingMaintenanceDeps extends Pick<ServiceDeps, 'platform_db' | 'sweep_db' | 'now' | 'log'> {
  apply: Pick<Apply, 'reconcile'>;
  seats: Pick<Seats, 'report'>;
  duplicates: Pick<Duplicates, 'settle'>;
  is_configured: boolean;
  /** Queues an event once `trx` has committed. */
  enqueue: (trx: Db, event: { org_id: string; id: string }) => Promise<void>;
  /** Counts something that an operator should look at. */
  onFinding: (finding: Finding) => void;
}

export function createBillingMaintenance(deps: BillingMaintenanceDeps) {
  const { platform_db, sweep_db, now, log, apply, seats, duplicates, is_configured, enqueue, onFinding } = deps;
  const ago = (ms: number) => new Date(now().getTime() - ms);

  async function requeue(): Promise<void> {
    if (!is_configured) return;
    await platform_db.transaction(async (trx) => {
      const due_events = await store.takeDueEvents(trx, now(), AT_ONCE);
      for (const { org_id, id } of due_events) await enqueue(trx, { org_id, id });
    });
  }

  /** Reads every subscription once a day, in case an event was lost. */
  async function reconcile(): Promise<void> {
    if (!is_configured) return;
    const org_ids = await due.listUnread(platform_db, now(), AT_ONCE);
    const work = { run: apply.reconcile, failure: 'subscription not reconciled', postpone: due.postponeRead };
    await forEach(org_ids, work);
  }

  /** Reports seats above those of the plan once a day. */
  async function reportSeats(): Promise<void> {
    if (!is_configured) return;
    const day = now().toISOString().slice(0, 10);
    const org_ids = await due.listUnreportedSeats(platform_db, { day, now: now() }, AT_ONCE);
    const run = (org_id: string) => seats.report(org_id, day);
    await forEach(org_ids, { run, failure: 'seats not reported', postpone: due.postponeSeats });
  }

  /** Cancels the duplicates that could not be canceled when they were found. */
  async function cancelDuplicates(): Promise<void> {
    if (!is_configured) return;
    const org_ids = await due.listWithDuplicates(platform_db, now(), AT_ONCE);
    const failure = 'duplicate subscription not canceled';
    await forEach(org_ids, { run: duplicates.settle, failure, postpone: due.postponeDuplicates });
  }

  /** A failure of one organization does not keep the others waiting, in this sweep nor in the next. */
  async function forEach(
    org_ids: string[],
    { run, failure, postpone }: { run: (org_id: string) => Promise<void>; failure: string; postpone: Postpone },
  ): Promise<void> {
    for (const org_id of org_ids) {
      try {
        await run(org_id);
      } catch (error) {
        log.warn({ err: error, org_id }, failure);
        onFinding('provider_failed');
        await postpone(platform_db, org_id, now());
      }
    }
  }

  async function deleteOld(): Promise<void> {
    await inBatches((limit) => store.deleteEvents(sweep_db, ago(KEPT_MS), limit));
  }

  return { requeue, reconcile, reportSeats, cancelDuplicates, deleteOld };
}
