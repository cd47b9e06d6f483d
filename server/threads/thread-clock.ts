import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Memory shared by a thread and the event loop: the system's id of the thread, or 0 until it starts its task. */
export type ThreadMark = Int32Array;

const NOT_BEGUN = 0;
const UNKNOWN = -1;
/** How often a running task is checked within its budget. */
const CHECKS_PER_BUDGET = 10;
/** A thread that gets at least a sixth of a processor can use its whole budget. */
const MAX_BUDGET_FACTOR = 6;
/** Maximum wall time on any machine: after that, other workers take over the job. */
const LONGEST_MS = 80_000;

export function createMark(): ThreadMark {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Called by the thread when it starts its task. */
export function markBegin(mark: ThreadMark): void {
  Atomics.store(mark, 0, systemThreadId());
}

/**
 * Calls `end` after the thread has used its time budget. Counts the processor time of the thread, so a busy machine or
 * a paused process does not use up the budget; on systems other than Linux, counts the time since the start. Six times
 * the budget, and the longest time, end every task.
 *
 * @returns stops counting
 */
export function countDown(
  mark: ThreadMark,
  { time_ms: budget_ms, longest_ms = LONGEST_MS }: { time_ms: number; longest_ms?: number },
  end: () => void,
): () => void {
  const check_every_ms = budget_ms / CHECKS_PER_BUDGET;
  const max_checks = Math.min(budget_ms * MAX_BUDGET_FACTOR, longest_ms) / check_every_ms;
  let checks = 0;
  let checks_since_begin = 0;
  let cpu_at_begin: number | undefined;
  const timer = setInterval(() => {
    checks += 1;
    const thread = Atomics.load(mark, 0);
    if (thread !== NOT_BEGUN) {
      checks_since_begin += 1;
      const cpu = cpuMs(thread);
      cpu_at_begin ??= cpu;
      const used_ms = cpu === undefined ? checks_since_begin * check_every_ms : cpu - (cpu_at_begin ?? cpu);
      if (used_ms >= budget_ms) return stop();
    }
    if (checks >= max_checks) stop();
  }, check_every_ms);

  function stop(): void {
    clearInterval(timer);
    end();
  }
  return () => clearInterval(timer);
}

/** @see proc_thread-self(5): the link names the process and the thread */
function systemThreadId(): number {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return UNKNOWN;
  }
}

/** @see https://docs.kernel.org/scheduler/sched-stats.html: its first number is in nanoseconds */
function cpuMs(thread: number): number | undefined {
  if (thread === UNKNOWN) return undefined;
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return undefined;
  }
}
