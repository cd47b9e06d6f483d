import type { QueueName } from '../lib/queue-names.ts';

/** Names a row; the row is the truth, so a payload never holds a plan or a secret. */
export interface JobPayload {
  org_id: string;
  id: string;
}

/** When a job's turn comes. */
export interface EnqueueOptions {
  /** Not before then, and within a second after. */
  at?: Date | undefined;
  /** Jobs of a lower place go first, those of one place in the order in which they came; 0 unless given. */
  place?: number | undefined;
}

export interface JobDefinition {
  queue: QueueName;
  /** Jobs at once in one process. */
  concurrency: number;
  /** Times a failing run is tried, the first included; waits grow from five seconds. */
  attempts: number;
  /**
   * Must do no harm when it runs twice for one payload.
   *
   * @param signal aborts when the process must end before the job has
   * @throws ServiceError below 500 to end the job for good; anything else is tried again
   */
  run(payload: JobPayload, signal: AbortSignal): Promise<void>;
}

/** Recurring upkeep; must do no harm when it runs twice. */
export interface Sweep {
  name: string;
  /** From one start to the next; a run that takes longer delays it. */
  every_ms: number;
  run(): Promise<void>;
}

export interface Stoppable {
  /** Resolves when what was begun has ended. */
  stop(): Promise<void>;
}
