/**
 * `node dist/bench/kill-worker.js [--jobs 1000] [--kills 50] [--backend postgres|redis]`: submits plans over HTTP, kills
 * worker processes while they work, and shows that no job is lost and none has its effect twice. Exit code 1 when one
 * is. Everything runs on loopback, in a temporary folder that is removed.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signDevToken } from '../server/adapters/oidc/index.ts';
import { openEmbeddedDatabase } from '../server/adapters/postgres/index.ts';
import { loadConfig } from '../server/config.ts';
import { createLogger } from '../server/log.ts';
import { startService } from '../server/main.ts';
import { watchEffects } from './fault/effects.ts';
import { startRedis } from './fault/redis.ts';
import { startHerd } from './fault/worker-herd.ts';
import { planText } from './plan-generator.ts';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '50' },
    backend: { type: 'string', default: 'postgres' },
  },
});
const jobs = Number(values.jobs);
const kills = Number(values.kills);
const WORKERS = 2;
/** What one org may submit in an hour. */
const JOBS_PER_ORG = 30;
const TIMEOUT_MS = 180_000;
const RESOURCES = 40;

const started_at = Date.now();
const folder = await mkdtemp(join(tmpdir(), 'dpa-kill-worker-'));
const log = createLogger({ log_level: 'error' });
const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => closeAll().finally(() => process.exit(1)));
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await closeAll();
}

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

async function run(): Promise<boolean> {
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  closers.push(database.stop);
  const redis = values.backend === 'redis' ? await startRedis(join(folder, 'redis')) : undefined;
  if (redis !== undefined) closers.push(redis.stop);
  const effects = await watchEffects(database.owner_url);
  closers.push(effects.close);

  const env = serviceEnvironment(database.url, redis?.url);
  const config = loadConfig(env);
  const api = await startService(config, { role: 'api', log });
  closers.push(api.stop);
  const scheduler = await startService(config, { role: 'scheduler', log });
  closers.push(scheduler.stop);
  const herd = startHerd(WORKERS, { ...process.env, ...env });
  closers.push(herd.stop);
  await herd.ready;

  const submitting = submitAll(String(api.url));
  await killAlongTheWay(herd, effects.done);
  await submitting;
  const in_time = await until(async () => (await effects.ended()) === jobs);

  const figures = {
    backend: values.backend,
    jobs,
    kills: herd.kills(),
    done: await effects.done(),
    failed: await effects.failed(),
    lost: jobs - (await effects.ended()),
    without_result: await effects.without_result(),
    doubled: await effects.doubled(),
    interrupted: await effects.interrupted(),
    seconds: Math.round((Date.now() - started_at) / 1000),
  };
  console.table(figures);
  return in_time && figures.done === jobs && figures.doubled === 0 && figures.without_result === 0;
}

function serviceEnvironment(database_url: string, redis_url: string | undefined): Record<string, string> {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: database_url,
    REDIS_URL: redis_url ?? '',
    MASTER_KEY: randomBytes(32).toString('base64'),
    JOB_HEARTBEAT_SECONDS: '1',
    RATE_LIMIT_BURST: '100000',
    RATE_LIMIT_PER_CREDENTIAL: '100000',
  };
}

/** Kills spread over the work: one whenever another share of the jobs is done. */
async function killAlongTheWay(herd: ReturnType<typeof startHerd>, done: () => Promise<number>): Promise<void> {
  for (let n = 1; n <= kills; n++) {
    const share = Math.floor((jobs * 0.9 * n) / kills);
    if (!(await until(async () => (await done()) >= share))) return;
    await herd.killOne();
  }
}

async function submitAll(url: string): Promise<void> {
  const token = await signDevToken({ data_dir: folder, email: 'fault@localhost.test', production: false });
  const plan_json = planText(RESOURCES);
  for (let submitted = 0; submitted < jobs; submitted += JOBS_PER_ORG) {
    const org = await post(url, token, '/api/v2/orgs', { slug: `fault-${submitted}`, display_name: 'Fault' });
    const count = Math.min(JOBS_PER_ORG, jobs - submitted);
    for (let n = 0; n < count; n++) await post(url, token, `/api/v2/orgs/${org['id']}/analyze`, { plan_json });
  }
}

async function post(url: string, token: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function until(condition: () => Promise<boolean>): Promise<boolean> {
  while (Date.now() - started_at < TIMEOUT_MS) {
    if (await condition()) return true;
    await wait(20);
  }
  return false;
}
