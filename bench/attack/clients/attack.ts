import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type RawRequest } from '../client.ts';
import { type Counts, increment, type Target } from './target.ts';

/** Runs until the signal is aborted. @returns the number of responses and errors of each kind */
export type Attack = (target: Target, signal: AbortSignal) => Promise<Counts>;

/** Runs this many workers concurrently; each repeats the same step until the signal is aborted. */
export async function runParallel(workers: number, signal: AbortSignal, work: (n: number) => Promise<void>) {
  let n = 0;
  const one = async () => {
    while (!signal.aborted) {
      const index = n;
      n += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: workers }, one));
}

/** Waits for `ms`, or until the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

/** A client address for attack number `n`: attackers have many. */
export function buildForwardedFor(n: number): { 'x-forwarded-for': string } {
  return { 'x-forwarded-for': `10.66.${Math.floor(n / 256) % 256}.${n % 256}` };
}

/** An attack that sends requests over a limited number of sockets, at a limited rate. */
export function flood(
  options: { sockets: number; per_second: number },
  next: (target: Target, n: number) => RawRequest,
): Attack {
  return async (target, signal) => {
    const counts: Counts = {};
    const client = createClient(target.url, options.sockets);
    const pause_ms = (options.sockets * 1_000) / options.per_second;
    await runParallel(options.sockets, signal, async (n) => {
      const interval = pause(pause_ms, signal);
      await client.send(next(target, n)).then(
        ({ status }) => increment(counts, status),
        (error: NodeJS.ErrnoException) => increment(counts, error.code ?? error.message),
      );
      await interval;
    });
    client.close();
    return counts;
  };
}
