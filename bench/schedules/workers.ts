import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a scheduler in a process of its own.
 *
 * @param skew_ms how far its clock is ahead
 * @returns once it is loaded; it fires after its first message
 */
export async function startWorker(url: string, skew_ms = 0): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./firing-worker.js', import.meta.url));
  // It may report what fails while the database restarts.
  const worker = spawn(process.execPath, [script, url, String(skew_ms)], {
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  await once(worker, 'message');
  return worker;
}

/** Ends a process as a crash does. */
export async function killWorker(worker: ChildProcess | undefined): Promise<void> {
  if (worker === undefined || worker.exitCode !== null || worker.signalCode !== null) return;
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
}
