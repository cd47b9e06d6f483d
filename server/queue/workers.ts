import { setTimeout as wait } from 'node:timers/promises';
import { type Job, UnrecoverableError } from 'bullmq';
import { ServiceError } from '../lib/errors.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type JobWorker, type QueueBackend, RETRY_MS } from './backend.ts';
import type { JobDefinition, JobPayload, Stoppable } from './types.ts';

export interface WorkersDeps {
  backend: QueueBackend;
  jobs: readonly JobDefinition[];
  /** How long running jobs can finish by themselves during a shutdown. */
  grace_ms: number;
  /** A worker without a heartbeat for this long has lost its job. */
  lock_ms?: number;
  log: Logger;
  metrics: Metrics;
}

const LOCK_MS = 30_000;
/** How long an aborted job can clean up. */
const ABORT_MS = 2_000;

/** Processes the queues of these jobs. Stopping accepts no more jobs, waits for the running ones, then aborts them. */
export function startWorkers({ backend, jobs, grace_ms, lock_ms = LOCK_MS, log, metrics }: WorkersDeps): Stoppable {
  const workers = jobs.map((definition) => {
    return keepWorker(() => {
      const worker = backend.work(definition.queue, process, { concurrency: definition.concurrency, lock_ms });
      worker.on('error', (error) =>
        log.warn({ err: error, queue: definition.queue }, 'worker lost the connection to the queue'),
      );
      worker.on('failed', (job, error) => reportFailure(definition, job, error));
      return worker;
    });

    async function process(job: Job<JobPayload, void>, _token?: string, signal?: AbortSignal): Promise<void> {
      if (job.attemptsMade === 0) {
        metrics.job_wait_seconds.observe({ queue: definition.queue }, (Date.now() - job.timestamp) / 1000);
      }
      const endTimer = metrics.job_seconds.startTimer({ queue: definition.queue });
      try {
        await definition.run({ org_id: job.data.org_id, id: job.data.id }, signal ?? new AbortController().signal);
        metrics.jobs.inc({ queue: definition.queue, outcome: 'done' });
      } catch (error) {
        throw isFinal(error) ? new UnrecoverableError(error.message) : error;
      } finally {
        endTimer();
      }
    }
  });

  function reportFailure({ queue, attempts }: JobDefinition, job: Job<JobPayload> | undefined, error: Error): void {
    const given_up =
      error instanceof UnrecoverableError || (job?.attemptsMade ?? 0) >= (job?.opts.attempts ?? attempts);
    metrics.jobs.inc({ queue, outcome: given_up ? 'failed' : 'retry' });
    const fields = { err: error, queue, job_id: job?.data.id, org_id: job?.data.org_id, attempt: job?.attemptsMade };
    if (given_up) log.error(fields, 'job failed; no attempts left');
    else log.warn(fields, 'job failed; it will be retried');
  }

  return {
    async stop() {
      await Promise.all(workers.map((worker) => closeWithin(worker, grace_ms)));
    },
  };
}

/**
 * Runs a worker once its backend is ready, and creates another when it fails: BullMQ caches a failed start forever, and
 * a worker that runs anyway polls without a pause.
 */
function keepWorker(make: () => JobWorker): Pick<JobWorker, 'cancelAllJobs' | 'close'> {
  const closing = new AbortController();
  const { signal } = closing;
  let worker = make();
  void keep();

  async function keep(): Promise<void> {
    while (!signal.aborted) {
      try {
        await worker.waitUntilReady();
        return await worker.run();
      } catch {
        // its `error` event has reported the cause
        await worker.close(true).catch(() => {});
        await wait(RETRY_MS, undefined, { signal }).catch(() => {});
        if (!signal.aborted) worker = make();
      }
    }
  }

  return {
    cancelAllJobs: (reason) => worker.cancelAllJobs(reason),
    close() {
      closing.abort();
      return worker.close();
    },
  };
}

async function closeWithin(worker: Pick<JobWorker, 'cancelAllJobs' | 'close'>, grace_ms: number): Promise<void> {
  const closed = worker.close();
  if (await endsWithin(closed, grace_ms)) return;
  worker.cancelAllJobs('the process is shutting down');
  // A job that does not end loses its connections with the backend; it is delivered again.
  await endsWithin(closed, ABORT_MS);
}

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = wait(ms, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer.abort();
  }
}

function isFinal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status < 500;
}
