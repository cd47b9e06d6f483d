import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { pino } from 'pino';
import { type Cluster, haltCluster, launchCluster, superuserUrl } from '../../server/adapters/postgres/cluster.ts';
import { migrate } from '../../server/db/migrate.ts';
import { ensureLogin } from '../../server/db/roles.ts';

/** Folder of the shared PostgreSQL of this jest run; set by global-setup, inherited by the workers. */
export const RUN_FOLDER = 'DPA_TEST_RUN';
const PREFIX = 'dpa-test-';
export const TEMPLATE = 'dpa_template';
const PASSWORD = 'test';

export interface TestServer {
  port: number;
}

/** Names the folder; nothing is started before a test needs a database. */
export async function prepareRun(): Promise<void> {
  await removeAbandonedRuns();
  process.env[RUN_FOLDER] = join(tmpdir(), `${PREFIX}${process.pid}`);
}

export async function endRun(): Promise<void> {
  const folder = process.env[RUN_FOLDER];
  if (folder !== undefined) await removeRun(folder);
}

/** The server of this run, started and migrated by the first test that needs it. */
export async function getTestServer(): Promise<TestServer> {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) throw new Error('test databases need the global setup of jest.config.mjs');
  await mkdir(folder, { recursive: true });
  if (await claim(join(folder, 'starting'))) await start(folder);
  return waitForServer(folder);
}

export function buildTestUrl(
  server: TestServer,
  database: string,
  login: 'postgres' | 'dpa_owner' | 'dpa_app',
): string {
  return `postgresql://${login}:${PASSWORD}@127.0.0.1:${server.port}/${database}`;
}

export async function asSuperuser<T>(
  server: TestServer,
  work: (client: Client) => Promise<T>,
  database = 'postgres',
): Promise<T> {
  const client = new Client({ connectionString: buildTestUrl(server, database, 'postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function start(folder: string): Promise<void> {
  try {
    const cluster: Cluster = { folder, password: PASSWORD, durable: false };
    const server = await launchCluster(cluster);
    await asSuperuser(server, async (client) => {
      await ensureLogin(client, 'dpa_owner', PASSWORD);
      await ensureLogin(client, 'dpa_app', PASSWORD);
      await client.query(`create database ${TEMPLATE}`);
    });
    await grantTemplate(cluster, server);
    await publish(folder, { port: server.port });
  } catch (error) {
    await publish(folder, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function grantTemplate(cluster: Cluster, server: TestServer): Promise<void> {
  await migrate({
    owner_url: superuserUrl(cluster, server.port, TEMPLATE),
    app_url: buildTestUrl(server, TEMPLATE, 'dpa_app'),
    log: pino({ level: 'silent' }),
  });
  await asSuperuser(server, async (client) => {
    await client.query('grant app_migrator to dpa_owner');
  });
}

async function publish(folder: string, outcome: { port: number } | { error: string }): Promise<void> {
  const draft = join(folder, 'server.draft');
  await writeFile(draft, JSON.stringify(outcome));
  await rename(draft, join(folder, 'server.json'));
}

async function waitForServer(folder: string): Promise<TestServer> {
  for (let waited = 0; waited < 60_000; waited += 25) {
    const text = await readFile(join(folder, 'server.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) {
      const outcome = JSON.parse(text);
      if (outcome.error !== undefined) throw new Error(`the test database did not start: ${outcome.error}`);
      return outcome;
    }
    await wait(25);
  }
  throw new Error('the test database did not start within a minute');
}

async function claim(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch {
    return false;
  }
}

/** Killed runs leave a server behind. */
async function removeAbandonedRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number(name.slice(PREFIX.length));
    if (Number.isInteger(pid) && !isAlive(pid)) await removeRun(join(tmpdir(), name));
  }
}

async function removeRun(folder: string): Promise<void> {
  await haltCluster(folder);
  await rm(folder, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
