import { once } from 'node:events';
import { buildEnvironment, type ServerOptions } from '../environment.ts';

/** For what is closed after requests and jobs have ended. */
const CLEANUP_MS = 4_000;

export interface ServeOptions extends ServerOptions {
  role: 'api' | 'worker' | 'scheduler' | 'bot' | 'all';
}

/**
 * Runs until SIGTERM or SIGINT, then lets requests and jobs finish; a second signal ends the process at once.
 * Standard output gets one line, when the service is ready; the log goes to standard error.
 */
export async function serve({ role, ...options }: ServeOptions): Promise<void> {
  const { loadConfig } = await import('../../../server/config.ts');
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

/** What does not let go of its connections in time is left to the operating system; its jobs are handed out again. */
function exitAfter(ms: number): NodeJS.Timeout {
  const end = () => {
    process.stderr.write(`dpa: the process did not stop within ${ms / 1_000} s and was ended\n`);
    process.exit(1);
  };
  return setTimeout(end, ms).unref();
}

/** Listens from the start, so that a signal during the start is not lost, and once, so that the next one ends us. */
async function waitForSignal(): Promise<void> {
  const either = new AbortController();
  const { signal } = either;
  await Promise.race([once(process, 'SIGTERM', { signal }), once(process, 'SIGINT', { signal })]);
  either.abort();
}
