import type { Db } from '../../db/index.ts';
import { assertFound } from '../../lib/errors.ts';
import type { EnqueueOptions, JobPayload } from '../../queue/index.ts';
import type { Llm } from '../llm/index.ts';
import { createFairEnqueue } from './fair-enqueue-service.ts';
import { createJobMaintenance, type JobMaintenanceDeps } from './maintenance-service.ts';
import { isEnded, pollText } from './poll.ts';
import { createJobRunner, type JobRunnerDeps } from './run-service.ts';
import * as store from './store.ts';
import type { JobHandler, JobKind } from './types.ts';

export interface JobsDeps
  extends Omit<JobRunnerDeps, 'findHandler' | 'enqueue' | 'quotas'>,
    Omit<JobMaintenanceDeps, 'enqueue' | 'failExhausted'> {
  quotas: Pick<Llm['quotas'], 'reserve' | 'release' | 'settle'>;
  /** Adds a job to the queue once `trx` has committed. */
  enqueue: (trx: Db, payload: JobPayload, turn?: EnqueueOptions) => Promise<void>;
}

export type NewJob = Omit<store.NewJob, 'reservation' | 'now'> & {
  /** Size of the payload as it is stored: small jobs run before large ones of the same rank. */
  payload_bytes?: number;
};

/** Jobs that callers poll. Other domains register a handler for each kind, and submit. */
export function createJobs(deps: JobsDeps) {
  const { db, now, quotas } = deps;
  const handlers = new Map<JobKind, JobHandler>();
  const enqueueFairly = createFairEnqueue(deps);
  const { run, failExhausted } = createJobRunner({ ...deps, findHandler, enqueue: enqueueFairly });
  const maintenance = createJobMaintenance({ ...deps, failExhausted });

  /** Once for each kind, before jobs run. @throws Error for a kind that has a handler already */
  function register(kind: JobKind, handler: JobHandler): void {
    if (handlers.has(kind)) throw new Error(`jobs of kind ${kind} have two handlers`);
    handlers.set(kind, handler);
  }

  function findHandler(kind: JobKind): JobHandler {
    const handler = handlers.get(kind);
    if (handler === undefined) throw new Error(`jobs of kind ${kind} have no handler`);
    return handler;
  }

  /**
   * Reserves the model quota of a job, writes it, and adds it to the queue, in the caller's transaction.
   *
   * @param trx holds the lock of the organization
   * @throws ServiceError 402 or 429 when the organization has used its model quota
   */
  async function submit(trx: Db, org_id: string, { payload_bytes, ...job }: NewJob): Promise<void> {
    const reservation = await quotas.reserve(trx, org_id);
    await store.insertJob(trx, org_id, { ...job, reservation, now: now() });
    await enqueueFairly(trx, { org_id, id: job.id }, { bytes: payload_bytes });
  }

  /**
   * The job as a caller polls it.
   *
   * @returns `text`: the contract's JobPoll as JSON; `ended`: it will not change any more
   * @throws NotFound
   */
  async function poll(org_id: string, id: string): Promise<{ text: string; ended: boolean }> {
    const job = assertFound(await db.readInOrg(org_id, (read) => store.findJob(read, org_id, id)));
    const { findResult = findOwnResult } = findHandler(job.kind);
    const result = job.status === 'done' ? await findResult(org_id, job) : null;
    return { text: pollText(job, result), ended: isEnded(job) };
  }

  async function findOwnResult(org_id: string, { id }: { id: string }): Promise<string | null> {
    return db.readInOrg(org_id, (read) => store.findResult(read, org_id, id));
  }

  return { register, submit, poll, run, maintenance };
}

export type Jobs = ReturnType<typeof createJobs>;
