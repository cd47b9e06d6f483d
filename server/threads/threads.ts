import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { createFairLimit } from '../lib/concurrency-limit.ts';
import { errorCode } from '../lib/error-code.ts';
import { Unavailable } from '../lib/errors.ts';
import { countDown, createMark, type ThreadMark } from './thread-clock.ts';

/** What a thread has just made lives in a third of this; with V8's own 48 each busy thread takes 40 MB more. */
const YOUNG_MB = 16;
const IDLE_MS = 60_000;
/** Longer than any budget without a time of its own. */
const STUCK_MS = 90_000;
/** How long a thread that did not start counts as stuck; after that, the next start decides. */
const FAULT_MS = 60_000;

/** What one task may use before its thread is terminated. */
export interface Budget {
  /** Processor time of the thread. */
  time_ms: number;
  /** Heap of the thread. */
  heap_mb: number;
  /** Wall time, also of a thread that waits for its input; 80 seconds unless given. */
  longest_ms?: number;
}

/** A task as its thread gets it; `mark` is for `markBegin`. */
export type Marked<Task> = Task & { mark: ThreadMark };

/** A task that used up its budget; its thread was terminated, and nothing else on the threads was touched. */
export class TaskOverrun extends Error {
  readonly resource: 'time' | 'memory';

  constructor(resource: 'time' | 'memory', budget: Budget) {
    super(resource === 'time' ? `stopped after ${Math.round(budget.time_ms / 1_000)} s` : 'used too much memory');
    this.name = 'TaskOverrun';
    this.resource = resource;
  }
}

export interface TaskOptions {
  /** Key of the task's owner; keys alternate. */
  key: string;
  budget: Budget;
  signal?: AbortSignal | undefined;
  transferList?: (ArrayBuffer | MessagePort)[];
}

export interface ThreadsSettings<Task extends { task: string }> {
  threads: number;
  /** The JavaScript file that the threads run: its default export takes a `Marked<Task>`. */
  worker: string;
  onEnd?: (task: Task['task'], outcome: TaskOutcome) => void;
  /** Longer than any budget; 90 seconds unless given. */
  stuck_ms?: number;
}

export type TaskOutcome = 'done' | 'time' | 'memory' | 'failed';

/**
 * Worker threads for tasks of many organizations. One organization cannot use all of them, and no task can exceed its
 * budget.
 */
export function createThreads<Task extends { task: string }>(settings: ThreadsSettings<Task>) {
  const { threads, onEnd, worker, stuck_ms = STUCK_MS } = settings;
  const limit = createFairLimit({ max: threads, max_per_key: Math.max(1, threads - 1) });
  /** Threads by their heap limit. */
  const pools = new Map<number, Piscina>();
  let progress_at = performance.now();
  let fault: { error: unknown; at: number } | undefined;
  let is_closed = false;

  /** @throws TaskOverrun; the reason of the signal; whatever the task throws */
  function run(task: Task, options: TaskOptions): Promise<unknown> {
    // A pool that was idle has not failed to make progress.
    if (limit.counts().running === 0) progress_at = performance.now();
    return limit.run(options.key, () => runNow(task, options), options);
  }

  async function runNow(task: Task, { budget, signal, transferList = [] }: TaskOptions): Promise<unknown> {
    if (is_closed) throw new Unavailable('the process is shutting down; try again');
    const began_at = performance.now();
    const overrun = new AbortController();
    const marked: Marked<Task> = { ...task, mark: createMark() };
    const stopCounting = countDown(marked.mark, budget, () => overrun.abort());
    const ends = signal === undefined ? overrun.signal : AbortSignal.any([overrun.signal, signal]);
    let outcome: TaskOutcome = 'failed';
    try {
      const reply = await openPool(budget.heap_mb).run(marked, { signal: ends, transferList });
      outcome = 'done';
      return reply;
    } catch (error) {
      if (fault !== undefined && fault.at >= began_at) {
        throw new Error('a thread does not start', { cause: fault.error });
      }
      const is_late = overrun.signal.aborted && signal?.aborted !== true;
      const resource = errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : is_late ? 'time' : null;
      if (resource === null) throw error;
      outcome = resource;
      throw new TaskOverrun(resource, budget);
    } finally {
      stopCounting();
      progress_at = performance.now();
      onEnd?.(task.task, outcome);
    }
  }

  function openPool(heap_mb: number): Piscina {
    const known = pools.get(heap_mb);
    if (known !== undefined) return known;
    const resourceLimits = { maxOldGenerationSizeMb: heap_mb, maxYoungGenerationSizeMb: YOUNG_MB };
    const pool = new Piscina({
      filename: worker,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      resourceLimits,
    });
    // A thread that fails without a task, which happens only while it starts.
    pool.on('error', (error) => {
      fault = { error, at: performance.now() };
    });
    pools.set(heap_mb, pool);
    return pool;
  }

  return {
    run,
    counts: limit.counts,
    isStuck,
    close,
  };

  /** Whether tasks wait while none has ended for longer than any task can take, or threads do not start. */
  function isStuck(): boolean {
    const at = performance.now();
    if (fault !== undefined && at - fault.at < FAULT_MS) return true;
    return limit.counts().waiting > 0 && at - progress_at > stuck_ms;
  }

  /** Terminates the threads and their tasks. */
  async function close(): Promise<void> {
    is_closed = true;
    await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  }
}

export type Threads<Task extends { task: string }> = ReturnType<typeof createThreads<Task>>;
