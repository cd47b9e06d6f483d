import { readdirSync, readFileSync } from 'node:fs';

const KB = 1024;
const SAMPLE_EVERY_MS = 250;

/** Resident memory of a process in bytes; 0 after it has exited (Linux). */
export function readResidentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * KB;
  } catch {
    return 0;
  }
}

/** Memory of a PostgreSQL server and its children in bytes; shared pages count once per process. */
export function readPostgresBytes(data_folder: string): number {
  const [pid] = readFileSync(`${data_folder}/postmaster.pid`, 'utf8').split('\n');
  return [Number(pid), ...findChildren(Number(pid))].reduce((sum, one) => sum + readResidentBytes(one), 0);
}

function findChildren(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && readParent(pid) === parent);
}

function readParent(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Samples the total memory of some processes until `stop`. */
export function watchMemory(pids: readonly number[]) {
  const now = () => pids.reduce((sum, pid) => sum + readResidentBytes(pid), 0);
  const idle = now();
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, now());
  }, SAMPLE_EVERY_MS);
  return {
    idle,
    now,
    peak: () => peak,
    /** @returns the peak since the previous call, in bytes */
    takePeak(): number {
      const before = Math.max(peak, now());
      peak = now();
      return before;
    },
    stop: () => clearInterval(timer),
  };
}
