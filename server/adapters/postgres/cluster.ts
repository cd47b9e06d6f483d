import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { errorCode } from '../../lib/error-code.ts';
import { findServerAccount, type ServerAccount } from './account.ts';
import { findPostgresBinaries, type PostgresBinaries } from './binaries.ts';
import { findPostmaster } from './postmaster.ts';

export const SUPERUSER = 'postgres';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const MAX_LOG_BYTES = 5_000_000;

export interface Cluster {
  /** Contains the data (`postgres/`) and the server's log (`postgres.log`). */
  folder: string;
  /** Password of the superuser. */
  password: string;
  /** False trades durability of committed rows for speed; for tests. */
  durable: boolean;
}

/** Several services use one server in this case, each with up to 40 connections. */
const FOR_TESTS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/**
 * Starts PostgreSQL on the folder, creating the data on first use. A server that already runs there, because its parent
 * was killed, is reused.
 *
 * @returns the port on loopback
 * @throws Error with the end of the server's log if it does not start
 */
export async function launchCluster(cluster: Cluster, preferredPort?: number): Promise<{ port: number }> {
  const data = dataFolder(cluster.folder);
  const binaries = await findPostgresBinaries();
  await prepareFolder(cluster.folder);
  const account = await findServerAccount({ data, postgres: binaries.postgres });
  if (!(await exists(join(data, 'PG_VERSION')))) await initialize(cluster, binaries, account);

  const deadline = Date.now() + START_TIMEOUT_MS;
  for (let port = preferredPort ?? (await findFreePort()); ; port = await findFreePort()) {
    const running = await findPostmaster(data);
    if (running !== undefined && (await waitUntilAnswering(cluster, running.port, deadline)))
      return { port: running.port };
    const { process: server, log } = await spawnServer(cluster, binaries, account, port);
    if (await waitUntilAnswering(cluster, port, deadline, server)) return { port };
    const ending = await readTail(log.path, log.from);
    if (!isTransient(ending) || Date.now() > deadline) {
      throw new Error(`the embedded PostgreSQL in ${data} did not start:\n${ending.trim()}`);
    }
    await wait(200);
  }
}

/** Stops the server that runs on the folder, if any, with a fast shutdown first (sessions end, data is written). */
export async function haltCluster(folder: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const running = await findPostmaster(dataFolder(folder));
    if (running === undefined) return;
    try {
      process.kill(running.pid, signal);
    } catch {
      continue;
    }
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (Date.now() < deadline && (await findPostmaster(dataFolder(folder))) !== undefined) await wait(20);
  }
}

export function dataFolder(folder: string): string {
  return join(folder, 'postgres');
}

export function superuserUrl(cluster: Cluster, port: number, database = 'postgres'): string {
  return `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** As root, another account runs the server: it must be able to traverse the folder, not to list it. */
async function prepareFolder(folder: string): Promise<void> {
  const root = process.getuid?.() === 0;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (root) await chmod(folder, 0o711);
}

/**
 * Created next to its final place and then renamed, so that an interruption leaves nothing that looks like a database.
 */
async function initialize(cluster: Cluster, binaries: PostgresBinaries, account: ServerAccount): Promise<void> {
  const draft = join(cluster.folder, `postgres.new-${process.pid}`);
  const passwordFile = `${draft}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, cluster.password, { mode: 0o600 });
  if (account.uid !== undefined) {
    await chown(draft, account.uid, account.gid ?? account.uid);
    await chown(passwordFile, account.uid, account.gid ?? account.uid);
  }
  try {
    await runInitdb(binaries.initdb, account, [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(cluster.durable ? [] : ['--no-sync']),
    ]);
    await rename(draft, dataFolder(cluster.folder));
  } catch (error) {
    // another process was faster: use its database
    if (!(await exists(join(dataFolder(cluster.folder), 'PG_VERSION')))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

async function runInitdb(initdb: string, account: ServerAccount, args: string[]): Promise<void> {
  const child = spawnAs(account, initdb, args, ['ignore', 'ignore', 'pipe']);
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output = (output + chunk).slice(-2000);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`cannot create the embedded database:\n${output.trim()}`);
}

async function spawnServer(cluster: Cluster, binaries: PostgresBinaries, account: ServerAccount, port: number) {
  const path = join(cluster.folder, 'postgres.log');
  const from = await startLog(path);
  const log: FileHandle = await open(path, 'a', 0o600);
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(cluster.durable ? {} : FOR_TESTS),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', dataFolder(cluster.folder), '-p', String(port), ...flags];
  // In its own process group, so that Ctrl-C reaches only the service, which stops the server after the last job.
  const server = spawnAs(account, binaries.postgres, args, ['ignore', log.fd, log.fd], true);
  server.unref();
  await log.close();
  return { process: server, log: { path, from } };
}

function spawnAs(
  account: ServerAccount,
  program: string,
  args: string[],
  stdio: ('ignore' | 'pipe' | number)[],
  detached = false,
): ChildProcess {
  const [command, ...rest] = [...account.prefix, program, ...args];
  const { uid, gid } = account;
  const as = { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) };
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const child = spawn(command!, rest, { ...as, stdio, detached, env, cwd: '/' });
  child.on('error', () => {}); // shows as an exit without a response; the log says why
  return child;
}

/** Waits until the server responds; false if it never will, because it exited or another server uses the port. */
async function waitUntilAnswering(
  cluster: Cluster,
  port: number,
  deadline: number,
  server?: ChildProcess,
): Promise<boolean> {
  for (;;) {
    const client = new Client({ connectionString: superuserUrl(cluster, port), connectionTimeoutMillis: 2000 });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query('show data_directory');
      return rows[0].data_directory === dataFolder(cluster.folder);
    } catch (error) {
      if (errorCode(error) === '28P01') throw new Error(wrongPassword(cluster.folder), { cause: error });
      const hopeless = server === undefined ? errorCode(error) !== '57P03' : hasEnded(server);
      if (hopeless || Date.now() > deadline) return false;
      await wait(25);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function hasEnded(server: ChildProcess): boolean {
  return server.pid === undefined || server.exitCode !== null || server.signalCode !== null;
}

function wrongPassword(folder: string): string {
  return `the passwords stored next to the database in ${folder} are not accepted; restore them, or delete the folder to start over`;
}

/**
 * The port is taken, an old server is still exiting, or its shared memory is not released yet: worth another attempt.
 */
function isTransient(log: string): boolean {
  return /could not bind|lock file "postmaster\.pid" already exists|pre-existing shared memory/.test(log);
}

async function startLog(path: string): Promise<number> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size < MAX_LOG_BYTES) return size;
  await rm(path, { force: true });
  return 0;
}

async function readTail(path: string, from: number): Promise<string> {
  const text = await readFile(path).catch(() => Buffer.alloc(0));
  return text.subarray(from).toString('utf8').slice(-3000);
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
