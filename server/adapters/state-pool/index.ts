import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { packageRoot } from '../../lib/package-root.ts';
import { type Budget, createThreads, type TaskOutcome, TaskOverrun } from '../../threads/threads.ts';
import { DEFAULT_FETCH_TIMEOUT_MS } from '../state-backend/index.ts';
import { feed } from './feed.ts';
import { type PooledState, StateReadError, type StateReply, type StateTask } from './types.ts';

// Threads load the build also when this file runs from source: Node cannot load TypeScript there.
const WORKER = join(packageRoot(), 'dist/server/adapters/state-pool/worker.js');
/**
 * Reading keeps no more than one resource and the compressed copy in memory, however large the state is. Most of the time
 * the thread waits for bytes, so it has as long as the slowest transfer that is allowed.
 */
const BUDGET = { time_ms: 60_000, heap_mb: 512, longest_ms: DEFAULT_FETCH_TIMEOUT_MS };
/** A task has ended by then. */
const STUCK_MS = DEFAULT_FETCH_TIMEOUT_MS + 10_000;

export interface StatePoolSettings {
  threads: number;
  /** The JavaScript file that the threads run; for tests. */
  worker?: string;
  budget?: Budget;
  /** Called at the end of each task. */
  onEnd?: (task: StateTask['task'], outcome: TaskOutcome) => void;
}

/** Threads that read states while their bytes arrive, so that no state is parsed on the event loop. */
export function createStatePool({ budget = BUDGET, worker = WORKER, ...settings }: StatePoolSettings) {
  const threads = createThreads<StateTask>({ worker, stuck_ms: STUCK_MS, ...settings });

  /**
   * @param key owner of the task; owners alternate
   * @param body ends with the reason of the signal when that is aborted
   * @throws StateReadError; errors of `body`; the reason of the signal
   */
  async function readState(key: string, body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<PooledState> {
    const { port1, port2 } = new MessageChannel();
    const broken = new AbortController();
    const feeding = feed(body, port1).catch((error: unknown) => broken.abort(error));
    const options = { key, budget, signal: AbortSignal.any([signal, broken.signal]), transferList: [port2] };
    try {
      const reply = (await threads.run({ task: 'read-state', port: port2 }, options)) as StateReply;
      if ('refused' in reply) throw new StateReadError(reply.refused);
      return reply;
    } catch (error) {
      broken.signal.throwIfAborted();
      signal.throwIfAborted();
      throw error instanceof TaskOverrun ? tooLarge(error) : error;
    } finally {
      port1.close();
      await feeding;
    }
  }

  return {
    readState,
    /** Rejects if tasks wait and none ends, or threads do not start. */
    async check() {
      if (threads.isStuck()) throw new Error('the state threads are not making progress');
    },
    close: threads.close,
  };
}

export type StatePool = ReturnType<typeof createStatePool>;

function tooLarge({ message }: TaskOverrun): StateReadError {
  return new StateReadError(`Reading the state ${message}. Split it into smaller ones.`);
}
