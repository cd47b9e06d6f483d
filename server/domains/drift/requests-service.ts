import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Computations } from './compute-service.ts';
import * as store from './requests-store.ts';

/** Attempts of a request; one whose worker was lost counts. */
export const ATTEMPTS = 3;
/** Longer than a computation takes. After this time, the queue or the worker has lost a request. */
const PATIENCE_MS = 20 * 60_000;

export interface RequestsDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'now' | 'log'> {
  computations: Pick<Computations, 'compute'>;
  states: { hasSources(read: Db, org_id: string, account_id: string): Promise<boolean> };
  scans: { recordDriftFailure(org_id: string, id: string): Promise<void> };
  /** Queues a computation once `trx` has committed. */
  enqueue: (trx: Db, request: store.RequestRef) => Promise<void>;
}

/** Computes the drift of each scan that ends, once. */
export function createRequests(deps: RequestsDeps) {
  const { db, platform_db, now, log, computations, states, scans, enqueue } = deps;

  /**
   * Requests the drift of a scan that has ended successfully, if states are registered for its account.
   *
   * @param trx the transaction that ends the scan
   */
  async function add(trx: Db, { cloud_account_id, ...scan }: store.RequestRef & { cloud_account_id: string }) {
    if (!(await states.hasSources(trx, scan.org_id, cloud_account_id))) return;
    if (await store.insertRequest(trx, scan, now())) await enqueue(trx, scan);
  }

  /**
   * Computes what was requested. Safe to call twice: the transaction that stores the snapshot ends the request.
   *
   * @throws errors that a later attempt may resolve
   */
  async function run({ org_id, id }: store.RequestRef): Promise<void> {
    const request = { org_id, id };
    const attempt = await db.inOrg(org_id, (trx) => store.beginAttempt(trx, request, now()));
    if (attempt === undefined) return;
    if (attempt > ATTEMPTS) return giveUp(request, LOST);
    try {
      await computations.compute(org_id, id);
    } catch (error) {
      log.warn({ err: error, org_id, scan_run_id: id, attempt }, 'drift of an ended scan not computed');
      const is_final = attempt === ATTEMPTS || (error instanceof ServiceError && error.status < 500);
      if (is_final) return giveUp(request, explain(error));
      await note(request, explain(error), null);
      throw error;
    }
  }

  async function giveUp(request: store.RequestRef, error: string): Promise<void> {
    await scans.recordDriftFailure(request.org_id, request.id);
    await note(request, error, now());
  }

  async function note(request: store.RequestRef, error: string, failed_at: Date | null): Promise<void> {
    await db.inOrg(request.org_id, (trx) => store.noteFailure(trx, request, { error, failed_at }));
  }

  /** Queues those again that have lost their entry or worker. */
  async function reconcile(): Promise<void> {
    const before = new Date(now().getTime() - PATIENCE_MS);
    for (const request of await store.listForgotten(platform_db, before)) {
      await db.inOrg(request.org_id, async (trx) => {
        if (await store.requeue(trx, request, before, now())) await enqueue(trx, request);
      });
    }
  }

  return { add, run, reconcile };
}

export type Requests = ReturnType<typeof createRequests>;

const LOST = 'Its workers were lost.';

/** Errors of this service are for people; others could show anything. */
function explain(error: unknown): string {
  return error instanceof ServiceError ? error.message : 'An error of the service stopped it.';
}
