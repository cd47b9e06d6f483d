import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { createLogger } from '../../server/log.ts';
import { CLI } from '../lib/process.ts';
import { openTempFolder } from '../lib/temp-folder.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 40_000;

export interface ServiceChild {
  role: string;
  pid: number;
  /** Address of a role that serves the API; otherwise empty. */
  url: string;
  isAlive(): boolean;
  /** The log so far. */
  readLog(): string;
  stop(): Promise<void>;
}

export type ServiceHarness = Awaited<ReturnType<typeof openHarness>>;

export interface HarnessOptions {
  roles: string[];
  /** Settings for all processes, in addition to those that raise the rate limits. */
  env?: Record<string, string>;
  /** Arguments for Node itself, such as `--cpu-prof`. */
  node_args?: string[];
}

/**
 * Starts the service on loopback as `dpa serve` does, one child process per role, with its own PostgreSQL and temporary
 * folder. `close` stops the processes and removes the folder.
 */
export async function openHarness({ roles, env = {}, node_args = [] }: HarnessOptions) {
  const { folder, closers, close } = await openTempFolder('dpa-attack-');
  try {
    const database = await openEmbeddedDatabase({ data_dir: folder, log: createLogger({ log_level: 'error' }) });
    closers.push(database.stop);
    const sql = new pg.Client({ connectionString: database.owner_url });
    await sql.connect();
    closers.push(() => sql.end());
    const settings = { ...buildSettings(folder, database.url), ...env };
    const services: ServiceChild[] = [];
    for (const role of roles) {
      const service = await startChild(role, join(folder, `${role}.log`), settings, node_args);
      closers.push(service.stop);
      services.push(service);
    }
    const url = services.find((one) => one.url !== '')?.url ?? '';
    return { folder, url, services, sql, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function buildSettings(data_dir: string, database_url: string): Record<string, string> {
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    PORT: '0',
    DATA_DIR: data_dir,
    DATABASE_URL: database_url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_IP: '1000000',
    RATE_LIMIT_BURST: '1000000',
    RATE_LIMIT_PER_CREDENTIAL: '1000000',
    RATE_LIMIT_PER_ORG: '1000000',
  };
}

async function startChild(
  role: string,
  log_file: string,
  env: Record<string, string>,
  node_args: readonly string[],
): Promise<ServiceChild> {
  const log = openSync(log_file, 'a');
  const child = spawn(process.execPath, [...node_args, CLI, 'serve', '--role', role], {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const readLog = () => readFileSync(log_file, 'utf8');
  const started = role === 'api' || role === 'all' ? /listening on (http:\/\/127\.0\.0\.1:\d+)/ : /running as/;
  for (const end = Date.now() + START_TIMEOUT_MS; ; await wait(50)) {
    const found = started.exec(readLog());
    if (found !== null) {
      return { role, pid: child.pid ?? 0, url: found[1] ?? '', isAlive, readLog, stop: () => stopChild(child) };
    }
    if (isAlive() && Date.now() < end) continue;
    child.kill('SIGKILL');
    throw new Error(`the role ${role} did not start: ${readLog().slice(-2_000)}`);
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}
