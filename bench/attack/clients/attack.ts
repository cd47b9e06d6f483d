import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type RawRequest } from '../client.ts';
import { type Counts, increment, type Target } from './target.ts';

/** An attack goes on until the signal is aborted. @returns how often each answer or error was seen */
export type Attack = (target: Target, signal: AbortSignal) => Promise<Counts>;

/** As many workers at once as given, each doing the same again and again until the end. */
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

/** Waits, or returns as soon as the attack ends. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

/** One of the many addresses that an attacker has. */
export function buildForwardedFor(n: number): { 'x-forwarded-for': string } {
  return { 'x-forwarded-for': `10.66.${Math.floor(n / 256) % 256}.${n % 256}` };
}

/** Requests over a bounded number of sockets and at a bounded rate. */
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
