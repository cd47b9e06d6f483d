import type { QueueName } from '../lib/queue-names.ts';

/** Identifies a row, which is the source of truth, so a payload never contains a plan or a secret. */
export interface JobPayload {
  org_id: string;
  id: string;
}

/** When a job can run. */
export interface EnqueueOptions {
  /** Not before this time, and within a second after it. */
  at?: Date | undefined;
  /** Jobs with a lower number run first, equal ones in order; 0 by default. */
  place?: number | undefined;
}

export interface JobDefinition {
  queue: QueueName;
  /** Maximum number of concurrent jobs in one process. */
  concurrency: number;
  /** Maximum number of attempts, including the first; waits grow from five seconds. */
  attempts: number;
  /**
   * Must be safe to run twice for one payload.
   *
   * @param signal aborts when the process must end before the job has
   * @throws ServiceError below 500 to fail the job permanently; any other error is retried
   */
  run(payload: JobPayload, signal: AbortSignal): Promise<void>;
}

/** Recurring maintenance; must be safe to run twice. */
export interface Sweep {
  name: string;
  /** Interval between starts; a longer run delays the next one. */
  every_ms: number;
  run(): Promise<void>;
}

/** Recurring work of every scheduler; any number of them must be able to do it at the same time. */
export interface Loop {
  name: string;
  /** Pause after a run that found nothing more to do, or failed. */
  every_ms: number;
  /** @returns whether there may be more to do, so that it runs again at once */
  run(): Promise<boolean>;
}

export interface Stoppable {
  /** Resolves when all started work has ended. */
  stop(): Promise<void>;
}
