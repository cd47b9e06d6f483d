import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../failure.ts';

/** Longer than any provider takes: a process that holds the lock longer was killed, and the next one takes it over. */
const STALE_MS = 60_000;
const RETRY_INTERVAL_MS = 50;

/**
 * Runs the work while holding a lock file.
 *
 * @throws Failure if another process holds the lock for longer than `timeout_ms`
 */
export async function withLock<T>(path: string, work: () => Promise<T>, timeout_ms = STALE_MS): Promise<T> {
  await acquire(path, Date.now() + timeout_ms);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string, until: number): Promise<void> {
  while (!(await tryCreate(path))) {
    if (await isStale(path)) await rm(path, { force: true });
    else if (Date.now() > until) {
      throw new Failure(`another dpa process is logging in or out; if there is none, delete ${path} and try again`);
    } else await wait(RETRY_INTERVAL_MS);
  }
}

async function tryCreate(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > STALE_MS;
  } catch {
    return false;
  }
}
