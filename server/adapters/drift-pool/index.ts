import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { Unavailable } from '../../lib/errors.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { type Budget, createThreads, type TaskOutcome, TaskOverrun } from '../../threads/threads.ts';
import { feed } from './feed.ts';
import type { ComputedDrift, DriftInput, DriftTask, PackedDrift } from './types.ts';

// Threads load the build also when this file runs from source: Node cannot load TypeScript there.
const WORKER = join(packageRoot(), 'dist/server/adapters/drift-pool/worker.js');
const TIME = { time_ms: 300_000, longest_ms: 900_000 };
const STUCK_MS = 960_000;

export interface DriftPoolSettings {
  threads: number;
  /** The JavaScript file that the threads run; for tests. */
  worker?: string;
  /** All states of an account and the IDs of its resources are in memory at once: about 1 kB for each resource. */
  heap_mb: number;
  /** Instead of five minutes of processor time; for measurements. */
  time?: Omit<Budget, 'heap_mb'>;
  /** Called at the end of each task. */
  onEnd?: (task: DriftTask['task'], outcome: TaskOutcome) => void;
}

/** Threads that compare cloud accounts with their states, so that no comparison runs on the event loop. */
export function createDriftPool({ heap_mb, time = TIME, worker = WORKER, ...settings }: DriftPoolSettings) {
  const budget: Budget = { ...time, heap_mb };
  const threads = createThreads<DriftTask>({ worker, stuck_ms: STUCK_MS, ...settings });

  /**
   * @param key owner of the task; owners alternate
   * @throws Unavailable if the comparison needs too much time or memory; errors of the input
   */
  async function computeDrift(key: string, input: DriftInput): Promise<ComputedDrift> {
    const { port1, port2 } = new MessageChannel();
    const broken = new AbortController();
    const feeding = feed(input, port1).catch((error: unknown) => broken.abort(error));
    const { previous: _previous, states: _states, live: _live, ...given } = input;
    const head = { ...given, now: input.now.toISOString() };
    try {
      const options = { key, budget, signal: broken.signal, transferList: [port2] };
      return unpack((await threads.run({ task: 'compute-drift', head, port: port2 }, options)) as PackedDrift);
    } catch (error) {
      broken.signal.throwIfAborted();
      throw error instanceof TaskOverrun ? tooLarge(error) : error;
    } finally {
      port1.close();
      await feeding;
    }
  }

  return {
    computeDrift,
    /** Rejects if tasks wait and none ends, or threads do not start. */
    async check() {
      if (threads.isStuck()) throw new Error('the drift threads are not making progress');
    },
    close: threads.close,
  };
}

export type DriftPool = ReturnType<typeof createDriftPool>;

/** Each text is decoded when it is needed. */
function unpack({ items, matches, ...facts }: PackedDrift): ComputedDrift {
  return {
    ...facts,
    items: { [Symbol.iterator]: () => decode(items) },
    matches: { [Symbol.iterator]: () => decode(matches) },
  };
}

function* decode(texts: readonly Uint8Array[]): Generator<string> {
  for (const text of texts) yield Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8');
}

function tooLarge({ message }: TaskOverrun): Unavailable {
  const remedy = 'Divide the states over several accounts, or give the thread more memory with DRIFT_THREAD_HEAP_MB.';
  return new Unavailable(`Comparing the account with its states ${message}. ${remedy}`);
}
