import { once } from 'node:events';
import { buildEnvironment, type ServerOptions } from '../environment.ts';

/** Time for cleanup after requests and jobs have ended. */
const CLEANUP_MS = 4_000;

export interface ServeOptions extends ServerOptions {
  role: 'api' | 'worker' | 'scheduler' | 'bot' | 'all';
}

/**
 * Runs until SIGTERM or SIGINT, then lets requests and jobs finish; a second signal ends the process immediately. Prints
 * one line to standard output when the service is ready; the log goes to standard error.
 */
export async function serve({ role, ...options }: ServeOptions): Promise<void> {
  const { loadConfig } = await import('../../../server/config/index.ts');
  const { createLogger } = await import('../../../server/log.ts');
  const { startService } = await import('../../../server/main.ts');
  const config = loadConfig(buildEnvironment(options));
  const signal = waitForSignal();
  const service = await startService(config, { role, log: createLogger(config, process.stderr) });
  process.stdout.write(service.url === null ? `running as ${role}\n` : `listening on ${service.url}\n`);
  await signal;
  const deadline = exitAfter(config.shutdown_drain_ms + config.shutdown_grace_ms + CLEANUP_MS);
  await service.stop();
  clearTimeout(deadline);
}

/** Ends the process if it does not stop in time; its jobs return to the queue. */
function exitAfter(ms: number): NodeJS.Timeout {
  const end = () => {
    process.stderr.write(`dpa: the process did not stop within ${ms / 1_000} s and was terminated\n`);
    process.exit(1);
  };
  return setTimeout(end, ms).unref();
}

/** Listens from the start, so that no signal is lost, and only once, so that a second signal ends the process. */
async function waitForSignal(): Promise<void> {
  const either = new AbortController();
  const { signal } = either;
  await Promise.race([once(process, 'SIGTERM', { signal }), once(process, 'SIGINT', { signal })]);
  either.abort();
}
