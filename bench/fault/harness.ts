import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { loadConfig } from '../../server/config/index.ts';
import { createLogger } from '../../server/log.ts';
import { startService } from '../../server/main.ts';
import { startRedis } from '../../test/fakes/redis.ts';
import { type Closers, openTempFolder } from '../lib/temp-folder.ts';
import { watchEffects } from './effects.ts';
import { startFleet } from './worker-fleet.ts';

export type Post = (path: string, body: unknown) => Promise<{ status: number; body: Record<string, unknown> }>;
export type WorkerFleet = ReturnType<typeof startFleet>;

export interface HarnessOptions {
  workers: number;
  backend?: string;
  /** Settings of every process of the service. */
  env?: Record<string, string>;
}

const log = createLogger({ log_level: 'error' });

/**
 * Starts the whole service on loopback, in a temporary folder: API and scheduler in this process, workers in child
 * processes that can be killed.
 */
export async function openHarness(options: HarnessOptions) {
  const { folder, closers, close } = await openTempFolder('dpa-fault-');
  try {
    return { ...(await startParts(folder, options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(folder: string, { workers, backend, env: own = {} }: HarnessOptions, closers: Closers) {
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  closers.push(database.stop);
  const redis = backend === 'redis' ? await startRedis() : undefined;
  if (redis !== undefined) closers.push(redis.close);
  const effects = await watchEffects(database.owner_url);
  closers.push(effects.close);

  const env = { ...buildSettings(folder, database.url, redis?.url), ...own };
  const config = loadConfig(env);
  const api = await startService(config, { role: 'api', log });
  closers.push(api.stop);
  const scheduler = await startService(config, { role: 'scheduler', log });
  closers.push(scheduler.stop);
  const fleet = startFleet(workers, { ...process.env, ...env });
  closers.push(fleet.stop);
  await fleet.ready;

  const token = await signDevToken({ data_dir: folder, email: 'fault@localhost.test', production: false });
  return { owner_url: database.owner_url, effects, fleet, ...createCaller(String(api.url), token) };
}

function buildSettings(data_dir: string, database_url: string, redis_url: string | undefined): Record<string, string> {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    PORT: '0',
    DATA_DIR: data_dir,
    DATABASE_URL: database_url,
    REDIS_URL: redis_url ?? '',
    MASTER_KEY: randomBytes(32).toString('base64'),
    JOB_HEARTBEAT_SECONDS: '1',
    RATE_LIMIT_BURST: '100000',
    RATE_LIMIT_PER_CREDENTIAL: '100000',
  };
}

function createCaller(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  const send: (path: string, init: RequestInit) => ReturnType<Post> = async (path, init) => {
    const response = await fetch(url + path, { ...init, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const post: Post = (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) });
  const get = (path: string) => send(path, {});
  return { post, get };
}

/** Kills processes at even intervals of the work: one each time another share of the jobs is done. */
export async function killDuringRun(
  fleet: WorkerFleet,
  { jobs, kills, done, until }: { jobs: number; kills: number; done: () => Promise<number>; until: WaitUntil },
): Promise<void> {
  for (let n = 1; n <= kills; n++) {
    const share = Math.floor((jobs * 0.9 * n) / kills);
    if (!(await until(async () => (await done()) >= share))) return;
    await fleet.killOne();
  }
}

/** Resolves to whether the condition was met in time. */
export type WaitUntil = (condition: () => Promise<boolean>) => Promise<boolean>;

/** The timeout starts now and applies to all conditions together. */
export function createWaiter(timeout_ms: number): WaitUntil {
  const ends = Date.now() + timeout_ms;
  return async (condition) => {
    while (Date.now() < ends) {
      if (await condition()) return true;
      await wait(20);
    }
    return false;
  };
}
