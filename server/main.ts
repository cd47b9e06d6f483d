import { BOT_QUEUES } from '../bot/index.ts';
import { type Deployment, openDeployment } from './adapters/workload-identity/index.ts';
import type { App } from './app.ts';
import { createBotJobs } from './bot.ts';
import { type AppOptions, buildApp, openOutside } from './build-app.ts';
import type { Config } from './config/index.ts';
import { createHealth } from './health.ts';
import {
  type Contract,
  createHttp,
  createIdempotencyStore,
  createInternalApp,
  createMemoryLimiter,
  createRedisLimiter,
  createServer,
  deleteExpiredAnswers,
  type Health,
  loadContract,
} from './http/index.ts';
import { listen } from './listen.ts';
import type { Logger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import {
  outboxSweeps,
  type Stoppable,
  type Sweep,
  startLoops,
  startRelay,
  startSweeps,
  startWorkers,
} from './queue/index.ts';
import { Running } from './running.ts';
import { openStores, type Stores } from './stores.ts';

export const ROLES = ['api', 'worker', 'scheduler', 'bot', 'all'] as const;
export type ServiceRole = (typeof ROLES)[number];

export interface ServiceOptions extends AppOptions {
  role: ServiceRole;
  /** Compiled if not given; a process with many services compiles it once. */
  contract?: Contract;
}

export interface Service {
  /** Address on which the API listens; null if this role does not serve it. */
  url: string | null;
  /** Finishes requests and jobs within the grace period, then closes everything; resolves when all is closed. */
  stop(): Promise<void>;
}

const now = () => new Date();
const HOUR_MS = 3_600_000;

/**
 * Starts the parts of the service for `role`.
 *
 * @throws Error if it cannot serve; opened resources are closed again
 */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  const stores = await openStores(config, options.log);
  const running = new Running(config.shutdown_drain_ms);
  running.closeLast(stores.close);
  try {
    return await startParts(config, options, stores, running);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function startParts(config: Config, options: ServiceOptions, stores: Stores, running: Running): Promise<Service> {
  const { role, log } = options;
  const metrics = createMetrics();
  const outside = openOutside(config, running, metrics);
  const deployment = await loadDeployment(config);
  const app = buildApp({ config, options, stores, metrics, running, outside, deployment, now });
  running.closeLast(app.close);
  const hasRole = (part: ServiceRole) => role === 'all' || role === part;

  const { platform_db: db, database_url, queue: backend } = stores;
  const grace_ms = config.shutdown_grace_ms;
  const { jobs } = app;
  if (hasRole('scheduler')) {
    running.stopFirst(startScheduler(app, stores, log, metrics).stop);
    running.stopFirst(startLoops({ loops: app.loops, log, metrics }).stop);
  }
  if (hasRole('worker')) {
    running.stopFirst(startWorkers({ backend, jobs, grace_ms, log, metrics }).stop);
  }
  // Any number of relays can run: jobs are queued as long as one process of any other role runs.
  const queues = [...jobs, ...BOT_QUEUES];
  if (role !== 'api') running.stopFirst(startRelay({ db, database_url, backend, jobs: queues, log, metrics }).stop);
  const health = createHealth(config, { ...stores, pool: outside.pool }, () => running.phase);
  const url = hasRole('api')
    ? await serveApi({ config, options, stores, app, deployment, health, metrics, running })
    : null;
  if (hasRole('bot')) {
    const jobs = createBotJobs({ ...outside, app, ...botSettings(config, url), now, log });
    running.stopFirst(startWorkers({ backend, jobs, grace_ms, log, metrics }).stop);
  }
  await serveInternal(config, health, metrics, running);
  return { url, stop: () => running.stop() };
}

/** @param url where this process serves the API itself; null if it does not */
function botSettings({ http: { app_url }, bot_api_url, federation, github_app }: Config, url: string | null) {
  const api_url = bot_api_url ?? url ?? federation.api_url;
  if (api_url === null) throw new Error('the role bot needs to reach the API: set BOT_API_URL or API_URL');
  return { api_url, base_urls: { app_url, api_url: federation.api_url }, github_app };
}

function startScheduler(app: App, { database_url, sweep_db }: Stores, log: Logger, metrics: Metrics): Stoppable {
  const answers: Sweep = {
    name: 'idempotency.delete-expired',
    every_ms: HOUR_MS,
    run: async () => void (await deleteExpiredAnswers(sweep_db, new Date())),
  };
  return startSweeps({ database_url, sweeps: [...app.sweeps, ...outboxSweeps(sweep_db), answers], log, metrics });
}

interface ApiParts {
  config: Config;
  options: ServiceOptions;
  stores: Stores;
  app: App;
  deployment: Deployment | null;
  health: Health;
  metrics: Metrics;
  running: Running;
}

async function serveApi(parts: ApiParts): Promise<string> {
  const { config, options, stores, app, deployment, health, metrics, running } = parts;
  await app.prepare();
  const redis = config.redis_url === null ? null : createRedisLimiter(config.redis_url);
  if (redis !== null) running.closeLast(async () => redis.close());
  const http = createHttp({
    contract: options.contract ?? (await loadContract()),
    handlers: app.handlers,
    authenticate: app.authenticate,
    findOrg: app.findOrg,
    pathChecks: app.path_checks,
    bodyReaders: app.body_readers,
    wellKnown: () => deployment?.documents ?? null,
    pages: app.pages,
    health,
    rateLimiter: redis ?? createMemoryLimiter(),
    idempotency: createIdempotencyStore(stores.platform_db),
    config: config.http,
    log: options.log,
    metrics: metrics.registry,
  });
  return listen(createServer(http), config.http.port, config, running);
}

/** The identity of this deployment at clouds; null if it has none. */
async function loadDeployment({
  federation,
  federation_signing_key: signing_key,
  data_dir,
}: Config): Promise<Deployment | null> {
  const { api_url, subject } = federation;
  return api_url === null || subject === null ? null : openDeployment({ api_url, signing_key, data_dir, now });
}

/** Health and metrics on a port of their own, if one is configured; all roles have them. */
async function serveInternal(config: Config, health: Health, metrics: Metrics, running: Running): Promise<void> {
  const { internal_port } = config.http;
  if (internal_port === null) return;
  await listen(createServer(createInternalApp({ health, metrics: metrics.registry })), internal_port, config, running);
}
