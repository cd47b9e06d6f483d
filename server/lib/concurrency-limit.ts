/** Runs `work` when there is room for it, and gives back what it gives; a signal that aborts while it waits ends the wait. */
export type Limit = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Lets at most `max` pieces of work run at once; the others wait in the order they came. */
export function createConcurrencyLimit(max: number): Limit {
  const { run } = createFairLimit({ max, max_per_key: max });
  return (work, signal) => run('', work, signal);
}

export interface FairLimit {
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many pieces of work wait, and how many run. */
  counts(): { waiting: number; running: number };
}

interface Waiting {
  start: () => void;
}

/**
 * Lets at most `max` pieces of work run at once, `max_per_key` of them under one key. Keys take turns; under one key work
 * starts in the order it came. So a key with much work delays another by no more than what is running.
 */
export function createFairLimit({ max, max_per_key }: { max: number; max_per_key: number }): FairLimit {
  /** Keys in the order of their turns; a key that has nothing waiting is not in it. */
  const queues = new Map<string, Waiting[]>();
  const running = new Map<string, number>();
  let total = 0;

  function startNext(): void {
    for (const [key, queue] of queues) {
      if (total >= max) return;
      if ((running.get(key) ?? 0) >= max_per_key) continue;
      const next = queue.shift();
      moveToBack(key);
      if (next === undefined) continue;
      begin(key);
      next.start();
    }
  }

  /** After its turn, a key waits until every other key has had one. */
  function moveToBack(key: string): void {
    const queue = queues.get(key);
    queues.delete(key);
    if (queue !== undefined && queue.length > 0) queues.set(key, queue);
  }

  function begin(key: string): void {
    total += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  }

  function end(key: string): void {
    total -= 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    moveToBack(key);
    startNext();
  }

  async function run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await enter(key, signal);
    try {
      return await work();
    } finally {
      end(key);
    }
  }

  function enter(key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        forget(key, waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, [waiting]);
      else queue.push(waiting);
      startNext();
    });
  }

  function forget(key: string, waiting: Waiting): void {
    const queue = queues.get(key) ?? [];
    const place = queue.indexOf(waiting);
    if (place !== -1) queue.splice(place, 1);
    if (queue.length === 0) queues.delete(key);
  }

  return {
    run,
    counts: () => ({ waiting: [...queues.values()].reduce((sum, { length }) => sum + length, 0), running: total }),
  };
}
