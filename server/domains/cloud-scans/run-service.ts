import { CloudError } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import type { CloudAccounts, ScanSession } from '../cloud-accounts/index.ts';
import type { EarlyEnd, EndScan } from './end-service.ts';
import type { LoadParts } from './outline-service.ts';
import { ClaimLost, type ReadScan } from './read-service.ts';
import * as store from './runs-store.ts';
import type { ScanClaim } from './types.ts';

/** Attempts in a row that read nothing because their worker was lost; after that, a scan ends. */
const MOST_IDLE_ATTEMPTS = 5;
/** The same for attempts that fail with an error. @see the contract decisions, D107 */
const MOST_FAILED_ATTEMPTS = 2;

const BROKEN: EarlyEnd = {
  code: 'internal',
  message: 'The scan could not be completed because of an error of the service. Scan again; if it repeats, report it.',
  retryable: true,
  fails_parts: true,
};

export interface RunnerDeps extends Pick<ServiceDeps, 'db' | 'now' | 'log'> {
  scanAccess: Pick<CloudAccounts['scanAccess'], 'open'>;
  loadParts: LoadParts;
  read: ReadScan;
  end: EndScan;
  /** Queues a scan once `trx` has committed. */
  enqueue: (trx: Db, run: store.RunRef) => Promise<void>;
  /** Interval of a running scan's heartbeat. */
  heartbeat_ms: number;
}

/** Runs a scan, from the queue entry to the final row. */
export function createRunner({ db, scanAccess, loadParts, read, end, enqueue, heartbeat_ms, now, log }: RunnerDeps) {
  /**
   * Runs one scan, or goes on with it where another worker has stopped. Safe to call twice: a scan that is not pending is
   * skipped, and so is one whose account is being scanned, which wakes it at its end.
   *
   * @throws errors that a later attempt may resolve
   */
  async function run(payload: store.RunRef, shutdown: AbortSignal): Promise<void> {
    const claim = await db.inOrg(payload.org_id, async (trx) => {
      await lockOrg(trx, payload.org_id);
      return store.claimRun(trx, payload, now());
    });
    if (claim === undefined) return;
    if (claim.idle_attempts > MOST_IDLE_ATTEMPTS) return finish(claim, BROKEN);

    const lost = new AbortController();
    const heartbeat = setInterval(() => void keepAlive(claim, lost), heartbeat_ms);
    try {
      await scan(claim, AbortSignal.any([lost.signal, shutdown]));
    } catch (error) {
      if (lost.signal.aborted || error instanceof ClaimLost) return;
      if (shutdown.aborted) return await handOver(claim);
      log.warn({ err: error, scan_id: claim.id, attempts: claim.attempts }, 'attempt of a scan failed');
      if (claim.idle_attempts >= MOST_FAILED_ATTEMPTS) return await finish(claim, BROKEN);
      await db.inOrg(claim.org_id, (trx) => store.releaseRun(trx, claim, now()));
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function keepAlive(claim: ScanClaim, lost: AbortController): Promise<void> {
    try {
      const held = await db.inOrg(claim.org_id, (trx) => store.renewRun(trx, claim, now()));
      if (!held) lost.abort();
    } catch (error) {
      log.warn({ err: error, scan_id: claim.id }, 'heartbeat not written');
    }
  }

  async function scan(claim: ScanClaim, signal: AbortSignal): Promise<void> {
    let session: ScanSession | undefined;
    try {
      session = await scanAccess.open(claim.org_id, claim.cloud_account_id, claim.filter_regions);
      await session.confirmIdentity(signal);
      await read(claim, session, await loadParts(claim, session, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CloudError)) throw error;
      const { code, message, retryable } = error.fault;
      return await finish(claim, { code, message, retryable, fails_parts: true });
    } finally {
      session?.close();
    }
    await finish(claim);
  }

  async function finish(claim: ScanClaim, early?: EarlyEnd): Promise<void> {
    await db.inOrg(claim.org_id, (trx) => end(trx, claim, early));
  }

  /** To another worker, which goes on where this one has stopped. */
  async function handOver(claim: ScanClaim): Promise<void> {
    const { org_id, id } = claim;
    await db.inOrg(org_id, async (trx) => {
      if (await store.releaseRun(trx, claim, now())) await enqueue(trx, { org_id, id });
    });
  }

  return run;
}

export type RunScan = ReturnType<typeof createRunner>;
