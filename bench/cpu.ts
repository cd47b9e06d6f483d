import { readFileSync } from 'node:fs';

/** CPU time of this process while something runs, in milliseconds; other processes on the machine do not count. */
export function measureCpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * CPU time of the calling thread while something runs, in milliseconds: how long the work keeps its thread from anything
 * else. Threads on which V8 compiles and collects garbage meanwhile do not count. Where the system does not tell it
 * (Linux does), that of the whole process.
 */
export function measureThreadMs<T>(run: () => T): { ms: number; result: T } {
  const before = readThreadTime();
  const result = run();
  return { ms: readThreadTime() - before, result };
}

/** @see https://docs.kernel.org/scheduler/sched-stats.html: its first number is in nanoseconds */
function readThreadTime(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}
