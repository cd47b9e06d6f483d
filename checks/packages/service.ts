import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runOrThrow } from './run.ts';

const COMMAND = 'cli/bin/dpa.js';

/** The service of this repository, which the installed packages call. */
export interface Service {
  url: string;
  /** An access token of a user who may create organizations. */
  token: string;
  /** Stops it. @returns its audit log, as `dpa audit dump` prints it */
  stop(): Promise<string>;
}

/** Starts the service with its database in `data_dir`. */
export async function startService(data_dir: string): Promise<Service> {
  const cwd = process.cwd();
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0', '--data-dir', data_dir], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the service ended: ${log.slice(-2_000)}`)));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
  ended.catch(() => undefined);
  const token = await runOrThrow(
    [process.execPath, COMMAND, 'dev-token', '--email', 'ada@example.com', '--data-dir', data_dir],
    { cwd },
  );

  async function stop(): Promise<string> {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
    return runOrThrow([process.execPath, COMMAND, 'audit', 'dump', '--data-dir', data_dir], { cwd });
  }

  return { url: line.slice('listening on '.length), token: token.trim(), stop };
}
