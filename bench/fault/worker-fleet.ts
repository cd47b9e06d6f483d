import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { CLI } from '../lib/process.ts';

/** Starts worker processes of the service, and replaces each one that is killed. */
export function startFleet(size: number, env: NodeJS.ProcessEnv) {
  const workers = new Set<ChildProcess>();
  const ready: Promise<unknown>[] = [];
  for (let n = 0; n < size; n++) ready.push(startWorker());
  let kills = 0;

  async function startWorker(): Promise<void> {
    const worker = spawn(process.execPath, [CLI, 'serve', '--role', 'worker'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    workers.add(worker);
    await new Promise<void>((resolve, reject) => {
      worker.stdout.once('data', () => resolve()); // the line that it prints when it is ready
      worker.once('exit', (code) => reject(new Error(`a worker ended with ${code} instead of starting`)));
    });
    worker.removeAllListeners('exit');
    worker.stdout.resume();
  }

  return {
    ready: Promise.all(ready),
    kills: () => kills,

    /** Kills the oldest worker without warning and starts another. */
    async killOne(): Promise<void> {
      const [victim] = workers;
      if (victim === undefined) return;
      workers.delete(victim);
      const ended = once(victim, 'exit');
      victim.kill('SIGKILL');
      await ended;
      kills += 1;
      await startWorker();
    },

    /** @returns the exit codes of a graceful shutdown */
    async stop(): Promise<(number | null)[]> {
      return Promise.all(
        [...workers].map(async (worker) => {
          const ended = once(worker, 'exit');
          worker.kill('SIGTERM');
          const [code] = await ended;
          return code;
        }),
      );
    },
  };
}
