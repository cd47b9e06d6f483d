import type { BlobStore } from '../../adapters/blob/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { createFairLimit, NoRoom } from '../../lib/concurrency-limit.ts';
import type { Logger } from '../../log.ts';
import type { Llm } from '../llm/index.ts';
import type { FairEnqueueOptions } from './fair-enqueue-service.ts';
import * as store from './store.ts';
import type { Claim, Failure, Finished, JobHandler, JobKind } from './types.ts';

/** Number of attempts after which a job ends in error; lost workers count. */
export const MAX_ATTEMPTS = 5;
const JOB_TIMEOUT_MS = 600_000;
/** A job beyond its organization's share waits for another one to end, and is then requeued behind later jobs. */
const MAX_WAIT_MS = 250;
const DEFERRED_MS = 2_000;

export interface JobRunnerDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  log: Logger;
  blobs: Pick<BlobStore, 'list' | 'delete'>;
  quotas: Pick<Llm['quotas'], 'release' | 'settle'>;
  findHandler: (kind: JobKind) => JobHandler;
  /** In the transaction that ends a job, whichever way: tells those who wait for it. */
  onEnded?: (trx: Db, claim: Claim) => Promise<void>;
  /** Interval of a running job's heartbeat. */
  heartbeat_ms: number;
  /** Maximum number of concurrent jobs in this process. */
  concurrency: number;
  /** Requeues a job for `at` or later, once `trx` has committed. */
  enqueue: (trx: Db, payload: { org_id: string; id: string }, options: FairEnqueueOptions) => Promise<void>;
}

const BROKEN: Failure = {
  error_class: 'internal',
  message: 'The job could not be completed. Submit it again.',
};

/** Runs a job of any kind, from the queue entry to the final row. */
export function createJobRunner(deps: JobRunnerDeps) {
  const { db, now, log, blobs, quotas, concurrency, findHandler } = deps;
  // While an org has all its plans judged, one place is left for the others.
  const limiter = createFairLimit({ max: concurrency, max_per_key: Math.max(1, concurrency - 1) });

  /**
   * Runs one job, or postpones it while its organization has used its share. Safe to call twice: a job that is not
   * pending is skipped, and a worker that lost its claim writes nothing.
   *
   * @throws errors that a later attempt may resolve; an invalid input ends the job instead
   */
  async function run(payload: { org_id: string; id: string }, shutdown: AbortSignal): Promise<void> {
    const { org_id } = payload;
    try {
      await limiter.run(org_id, () => runNow(payload, shutdown), { within_ms: MAX_WAIT_MS });
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      const at = new Date(now().getTime() + DEFERRED_MS);
      await db.inOrg(org_id, (trx) => deps.enqueue(trx, payload, { at }));
    }
  }

  async function runNow(payload: { org_id: string; id: string }, shutdown: AbortSignal): Promise<void> {
    const claim = await takeJob(payload);
    if (claim === undefined) return;

    const lost = new AbortController();
    const heartbeat = setInterval(() => void keepAlive(claim, lost), deps.heartbeat_ms);
    try {
      const signal = AbortSignal.any([lost.signal, shutdown, AbortSignal.timeout(JOB_TIMEOUT_MS)]);
      const outcome = await findHandler(claim.kind).run(claim, signal);
      if ('message' in outcome) await fail(claim, outcome);
      else await finish(claim, outcome);
    } catch (error) {
      if (lost.signal.aborted) return;
      await releaseOrFail(claim, error);
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function takeJob({ org_id, id }: { org_id: string; id: string }): Promise<Claim | undefined> {
    return db.inOrg(org_id, async (trx) => {
      const claim = await store.claimJob(trx, org_id, id, now());
      if (claim !== undefined) await findHandler(claim.kind).begin(trx, claim);
      return claim;
    });
  }

  async function keepAlive(claim: Claim, lost: AbortController): Promise<void> {
    try {
      const held = await db.inOrg(claim.org_id, (trx) => store.renewHeartbeat(trx, claim, now()));
      if (!held) lost.abort();
    } catch (error) {
      log.warn({ err: error, job_id: claim.id }, 'heartbeat not written');
    }
  }

  async function finish(claim: Claim, outcome: Finished): Promise<void> {
    const { is_billed, result = null } = outcome;
    const finished_at = now();
    await end(claim, async (trx) => {
      if (!(await store.finishJob(trx, claim, { status: 'done', result }, finished_at))) return false;
      await outcome.write(trx, finished_at);
      if (is_billed) await quotas.settle(trx, claim.org_id, claim.id);
      else await quotas.release(trx, claim.org_id, claim.id);
      return true;
    });
  }

  /** Ends the job in error and releases its reservations, unless the claim was lost. */
  async function fail(claim: Claim, failure: Failure): Promise<void> {
    const { error_class, message } = failure;
    await end(claim, async (trx) => {
      if (!(await store.finishJob(trx, claim, { status: 'error', error: message, error_class }, now()))) return false;
      await findHandler(claim.kind).fail(trx, claim, failure);
      await quotas.release(trx, claim.org_id, claim.id);
      return true;
    });
  }

  async function end(claim: Claim, write: (trx: Db) => Promise<boolean>): Promise<void> {
    const ended = await db.inOrg(claim.org_id, async (trx) => {
      const written = await write(trx);
      if (written) await deps.onEnded?.(trx, claim);
      return written;
    });
    if (ended && claim.payload_key !== null) await blobs.delete(claim.payload_key);
  }

  async function releaseOrFail(claim: Claim, error: unknown): Promise<void> {
    log.warn({ err: error, job_id: claim.id, attempts: claim.attempts }, 'attempt of a job failed');
    if (claim.attempts >= MAX_ATTEMPTS) return fail(claim, BROKEN);
    await db.inOrg(claim.org_id, (trx) => store.releaseJob(trx, claim, now()));
    throw error;
  }

  return { run, failExhausted: (claim: Claim): Promise<void> => fail(claim, BROKEN) };
}

export type JobRunner = ReturnType<typeof createJobRunner>;
