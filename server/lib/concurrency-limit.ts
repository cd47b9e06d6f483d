/** Runs `work` when there is capacity, and returns its result; an abort of the signal ends the wait. */
export type Limit = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Runs at most `max` pieces of work concurrently; the others wait in order. */
export function createConcurrencyLimit(max: number): Limit {
  const { run } = createFairLimit({ max, max_per_key: max });
  return (work, signal) => run('', work, { signal });
}

export interface FairLimit {
  run<T>(key: string, work: () => Promise<T>, options?: FairWork): Promise<T>;
  /** How many pieces of work wait, and the weight of the running ones. */
  counts(): { waiting: number; running: number };
}

export interface FairWork {
  /** Weight of the work; 1 by default. */
  weight?: number;
  /** Ends the wait of work that has not started. */
  signal?: AbortSignal | undefined;
  /** Maximum wait; after that, NoRoom is thrown. */
  within_ms?: number;
}

/** Thrown when the wait is over; the work has not started. */
export class NoRoom extends Error {
  constructor() {
    super('there was no capacity in time');
    this.name = 'NoRoom';
  }
}

interface Waiting {
  weight: number;
  start: () => void;
}

/**
 * Runs work with a total weight of `max` concurrently, and of `max_per_key` for one key; a single piece can exceed the
 * share of its key. Keys alternate; work of one key starts in order. So a busy key delays others by no more than the
 * running work.
 */
export function createFairLimit({ max, max_per_key }: { max: number; max_per_key: number }): FairLimit {
  /** Keys in the order of their turns; keys without waiting work are not in it. */
  const queues = new Map<string, Waiting[]>();
  const running = new Map<string, number>();
  let total = 0;

  function startNext(): void {
    for (const [key, queue] of queues) {
      const [next] = queue;
      if (next === undefined || !hasRoom(key, next.weight)) continue;
      queue.shift();
      moveToBack(key);
      begin(key, next.weight);
      next.start();
    }
  }

  function hasRoom(key: string, weight: number): boolean {
    const held = running.get(key) ?? 0;
    return total + weight <= max && (held === 0 || held + weight <= max_per_key);
  }

  /** After its turn, a key waits until every other key had one. */
  function moveToBack(key: string): void {
    const queue = queues.get(key);
    queues.delete(key);
    if (queue !== undefined && queue.length > 0) queues.set(key, queue);
  }

  function begin(key: string, weight: number): void {
    total += weight;
    running.set(key, (running.get(key) ?? 0) + weight);
  }

  function end(key: string, weight: number): void {
    total -= weight;
    const left = (running.get(key) ?? weight) - weight;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    moveToBack(key);
    startNext();
  }

  async function run<T>(key: string, work: () => Promise<T>, options: FairWork = {}): Promise<T> {
    const { weight = 1, signal } = options;
    if (weight > max) throw new Error(`work of weight ${weight} would wait forever: the limit is ${max}`);
    signal?.throwIfAborted();
    await enter(key, { ...options, weight });
    try {
      return await work();
    } finally {
      end(key, weight);
    }
  }

  async function enter(key: string, { weight, signal, within_ms }: FairWork & { weight: number }): Promise<void> {
    if (!queues.has(key) && hasRoom(key, weight)) return begin(key, weight);
    const ended = new AbortController();
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { weight, start: resolve };
        const leave = (reason: unknown) => {
          forget(key, waiting);
          reject(reason);
        };
        signal?.addEventListener('abort', () => leave(signal.reason), { signal: ended.signal });
        const timer = within_ms === undefined ? undefined : setTimeout(() => leave(new NoRoom()), within_ms);
        ended.signal.addEventListener('abort', () => clearTimeout(timer));
        const queue = queues.get(key);
        if (queue === undefined) queues.set(key, [waiting]);
        else queue.push(waiting);
      });
    } finally {
      ended.abort();
    }
  }

  function forget(key: string, waiting: Waiting): void {
    const queue = queues.get(key) ?? [];
    const place = queue.indexOf(waiting);
    if (place !== -1) queue.splice(place, 1);
    if (queue.length === 0) queues.delete(key);
    // Work behind it may be lighter.
    startNext();
  }

  return {
    run,
    counts: () => ({ waiting: [...queues.values()].reduce((sum, { length }) => sum + length, 0), running: total }),
  };
}
