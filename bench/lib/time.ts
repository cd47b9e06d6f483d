import { readFileSync } from 'node:fs';

/** Elapsed time of an operation, in milliseconds. */
export async function measureMs(run: () => unknown): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

/** CPU time of this process while `run` runs, in milliseconds; other processes do not count. */
export function measureCpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * CPU time of the calling thread while `run` runs, in milliseconds: how long the work blocks its thread. Compilation
 * and garbage collection on other threads of V8 do not count. On systems other than Linux, the CPU time of the whole
 * process.
 */
export function measureThreadMs<T>(run: () => T): { ms: number; result: T } {
  const before = readThreadTime();
  const result = run();
  return { ms: readThreadTime() - before, result };
}

/** @see https://docs.kernel.org/scheduler/sched-stats.html: the first number is in nanoseconds */
function readThreadTime(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}
