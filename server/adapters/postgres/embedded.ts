import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { readOrCreatePrivateFile } from '../../lib/private-file.ts';
import type { Logger } from '../../log.ts';
import { type Cluster, haltCluster, launchCluster, SUPERUSER, superuserUrl } from './cluster.ts';

/** The ASCII codes of "dpa". The process that holds this lock in the maintenance database owns the folder. */
const OWNER_LOCK = 0x647061;
const OWNER_NAME = 'dpa owner ';

export interface EmbeddedPostgres {
  port: number;
  /** The superuser's login, only for creating databases, roles and logins. */
  superuser_url: string;
  /** Password of the application's login, stored in the folder. */
  app_password: string;
  stop(): Promise<void>;
}

interface Passwords {
  superuser: string;
  app: string;
}

/**
 * Runs a private PostgreSQL in `folder` on a free loopback port, with random passwords stored there (0600). It is
 * started if it is not running, reused if a killed process left it running, restarted if it dies, and stopped by
 * `stop()`.
 *
 * @throws Error if another live process uses the folder, or if the server cannot start; the message says why
 */
export async function startEmbeddedPostgres({
  folder,
  log,
}: {
  folder: string;
  log: Logger;
}): Promise<EmbeddedPostgres> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const data_folder = await realpath(folder);
  const passwords = await readPasswords(data_folder);
  const cluster: Cluster = { folder: data_folder, password: passwords.superuser, durable: true };
  const { port } = await launchCluster(cluster);
  const owner = await keepOwnership(cluster, port, log);
  return {
    port,
    superuser_url: superuserUrl(cluster, port),
    app_password: passwords.app,
    async stop() {
      await owner.release();
      await haltCluster(data_folder);
    },
  };
}

async function readPasswords(folder: string): Promise<Passwords> {
  const make = () => randomBytes(24).toString('base64url');
  const text = await readOrCreatePrivateFile(join(folder, 'postgres-passwords.json'), () =>
    JSON.stringify({ superuser: make(), app: make() }),
  );
  return JSON.parse(text);
}

/**
 * Holds the owner's lock, and keeps the server alive, until released. The lock belongs to a session, so it is released
 * if the process is killed.
 */
async function keepOwnership(cluster: Cluster, port: number, log: Logger): Promise<{ release(): Promise<void> }> {
  let session = await takeOwnership(cluster, port, onLost);
  let released = false;
  let recovery: Promise<void> = Promise.resolve();

  function onLost(): void {
    if (released) return;
    log.warn('the embedded PostgreSQL stopped; restarting it');
    recovery = recover();
  }

  async function recover(): Promise<void> {
    while (!released) {
      try {
        await launchCluster(cluster, port);
        session = await takeOwnership(cluster, port, onLost);
        return;
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL could not be restarted yet');
        await wait(1000);
      }
    }
  }

  return {
    async release() {
      released = true;
      await recovery;
      await session.end().catch(() => {});
    },
  };
}

async function takeOwnership(cluster: Cluster, port: number, onLost: () => void): Promise<Client> {
  const client = new Client({
    connectionString: superuserUrl(cluster, port),
    application_name: `${OWNER_NAME}${process.pid}`,
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [OWNER_LOCK]);
  if (!rows[0].taken) {
    const holder = await findHolder(client);
    await client.end();
    throw new Error(
      `the data folder ${cluster.folder} is in use by another running dpa${holder === undefined ? '' : ` (process ${holder})`}; ` +
        'stop that one, or choose another folder with --data-dir',
    );
  }
  client.once('end', onLost);
  return client;
}

async function findHolder(client: Client): Promise<string | undefined> {
  const { rows } = await client.query(
    'select application_name from pg_stat_activity where usename = $1 and starts_with(application_name, $2) and pid <> pg_backend_pid()',
    [SUPERUSER, OWNER_NAME],
  );
  return rows[0]?.application_name.slice(OWNER_NAME.length);
}
