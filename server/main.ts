import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { BOT_QUEUES } from '../bot/index.ts';
import { dropTrailing } from '../engine/index.ts';
import { createStripeBilling } from './adapters/billing/index.ts';
import { createDriftPool } from './adapters/drift-pool/index.ts';
import { createEgress, createGuardedFetch } from './adapters/egress/index.ts';
import { createLlmClients } from './adapters/llm/index.ts';
import { createMailSender } from './adapters/mail/index.ts';
import { createTokenVerifier, DEVELOPMENT_ISSUER } from './adapters/oidc/index.ts';
import { openPackDraft } from './adapters/pack-archive/index.ts';
import { createSummaryRenderer } from './adapters/pack-pdf/index.ts';
import { createPlanPool } from './adapters/plan-pool/index.ts';
import { createCommitOnce } from './adapters/scm/files/index.ts';
import { createGithubApp } from './adapters/scm/github-app/index.ts';
import { createIssueTrackers } from './adapters/scm/issues/index.ts';
import { createTokenProbe } from './adapters/scm/token/index.ts';
import { createSlackApp } from './adapters/slack/app.ts';
import { createSlackSender } from './adapters/slack/index.ts';
import type { ChatApp } from './adapters/slack/types.ts';
import { createLocationCheck } from './adapters/state-backend/index.ts';
import { createStatePool } from './adapters/state-pool/index.ts';
import { createWorkloadIssuers, type Deployment, openDeployment } from './adapters/workload-identity/index.ts';
import { type App, type AppDeps, createApp } from './app.ts';
import { createBotJobs } from './bot.ts';
import { openBroadcast } from './broadcast/index.ts';
import { openClouds, openLockedBuckets, openStateBackend } from './composition/clouds.ts';
import type { Config } from './config.ts';
import type { Clouds } from './domains/cloud-accounts/index.ts';
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
  type Phase,
} from './http/index.ts';
import { createAuthzBus } from './lib/authz-bus.ts';
import { readEd25519Keys } from './lib/ed25519-keys.ts';
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
import { openStores, type Stores } from './stores.ts';

export const ROLES = ['api', 'worker', 'scheduler', 'bot', 'all'] as const;
export type ServiceRole = (typeof ROLES)[number];

export interface ServiceOptions {
  role: ServiceRole;
  log: Logger;
  /** Compiled if not given; a process with many services compiles it once. */
  contract?: Contract;
  /** Opened from the configuration if not given. */
  clouds?: Clouds;
  /** Used instead of the adapters that call clouds, state backends, and the destinations of checkpoints. */
  adapters?:
    | Partial<Pick<AppDeps, 'stateBackend' | 'assertAllowed' | 'accounts' | 'buckets' | 'commitOnce'>>
    | undefined;
}

export interface Service {
  /** Address on which the API listens; null if this role does not serve it. */
  url: string | null;
  /** Finishes requests and jobs within the grace period, then closes everything; resolves when all is closed. */
  stop(): Promise<void>;
}

const RECONCILE_MS = 10_000;
/** Reading a state is mostly waiting for its bytes; two, so that a slow one leaves a thread for others. */
const STATE_THREADS = 2;
const DRIFT_THREADS = 1;
const SLACK_CALLBACK = '/api/v2/chat/callback';
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

/**
 * The started parts. Busy parts stop concurrently, so that one grace period covers them; resources they use are closed
 * afterwards.
 */
class Running {
  phase: Phase = 'serving';
  readonly #drain_ms: number;
  readonly #busy: (() => Promise<unknown>)[] = [];
  readonly #held: (() => Promise<unknown>)[] = [];
  #stopped: Promise<void> | undefined;

  /** @param drain_ms how long to keep serving while not ready */
  constructor(drain_ms: number) {
    this.#drain_ms = drain_ms;
  }

  stopFirst(stop: () => Promise<unknown>): void {
    this.#busy.push(stop);
  }

  closeLast(close: () => Promise<unknown>): void {
    this.#held.push(close);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    this.phase = 'draining';
    if (this.#drain_ms > 0) await wait(this.#drain_ms);
    const ended = await Promise.allSettled(this.#busy.map((stop) => stop()));
    for (const close of this.#held.reverse()) ended.push(...(await Promise.allSettled([close()])));
    const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (failures.length > 0) throw new AggregateError(failures, 'the service did not stop cleanly');
  }
}

async function startParts(config: Config, options: ServiceOptions, stores: Stores, running: Running): Promise<Service> {
  const { role, log } = options;
  const metrics = createMetrics();
  const outside = openOutside(config, running, metrics);
  const deployment = await loadDeployment(config);
  const app = makeApp({ config, options, stores, metrics, running, outside, deployment });
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

/** Resources outside of this process or its event loop. */
function openOutside({ plan_pool, drift_pool, egress }: Config, running: Running, metrics: Metrics) {
  const onEnd = (task: string, outcome: string) => metrics.plan_tasks.inc({ task, outcome });
  const pool = createPlanPool({ ...plan_pool, onEnd });
  running.closeLast(pool.close);
  const statePool = createStatePool({ threads: STATE_THREADS, onEnd });
  running.closeLast(statePool.close);
  const driftPool = createDriftPool({ ...drift_pool, threads: DRIFT_THREADS, onEnd });
  running.closeLast(driftPool.close);
  return { pool, statePool, driftPool, guardedFetch: createGuardedFetch(egress) };
}

/** The Slack app that organizations install; null if there is none. */
function openSlackApp({ slack_app, messages, federation: { api_url } }: Config): ChatApp | null {
  if (slack_app === null) return null;
  const redirect_uri = api_url === null ? null : `${dropTrailing(api_url, '/')}${SLACK_CALLBACK}`;
  return createSlackApp({ ...slack_app, api_url: messages.slack_api_url, redirect_uri });
}

interface AppParts {
  config: Config;
  options: ServiceOptions;
  stores: Stores;
  metrics: Metrics;
  running: Running;
  outside: ReturnType<typeof openOutside>;
  deployment: Deployment | null;
}

function makeApp({ config, options, stores, metrics, running, outside, deployment }: AppParts): App {
  const { log, clouds, adapters } = options;
  const { pool, statePool, driftPool, guardedFetch } = outside;
  const authz = createAuthzBus((change) => broadcast.publish(change));
  const broadcast = openBroadcast({ ...stores, redis_url: config.redis_url, receive: authz.receive, log });
  running.closeLast(broadcast.close);
  const { trusted_issuers } = config.federation;
  const egress = createEgress(config.egress);
  const reach = { fetch: guardedFetch, deployment, aws_keys: config.aws_keys, now };
  return createApp({
    ...stores,
    authz,
    pool,
    log,
    metrics,
    now,
    verifyToken: createTokenVerifier(config),
    clouds: clouds ?? openClouds({ ...reach, recorded_accounts: config.recorded_accounts }),
    issuers: createWorkloadIssuers({ trusted_issuers, egress, now }),
    github: config.github_app === null ? null : createGithubApp(config.github_app, now),
    openLlmClient: createLlmClients({ settings: config.llm, egress: guardedFetch, now }),
    guardedFetch,
    probeToken: createTokenProbe(guardedFetch),
    openIssues: createIssueTrackers({ fetch: guardedFetch, now, log }),
    commitOnce: createCommitOnce({ fetch: guardedFetch, now, log }),
    buckets: openLockedBuckets(reach),
    chat: config.messages.slack === null ? null : createSlackSender(config.messages.slack),
    chatApp: openSlackApp(config),
    mail: config.messages.mail === null ? null : createMailSender(config.messages.mail),
    billingProvider: config.billing.stripe === null ? null : createStripeBilling(config.billing.stripe),
    assertPublicUrl: egress.assertPublicUrl,
    readState: statePool.readState,
    computeDrift: driftPool.computeDrift,
    openPackDraft: () => openPackDraft(),
    renderSummary: config.jobs.pack_pdf ? createSummaryRenderer() : null,
    stateBackend: openStateBackend(reach),
    assertAllowed: createLocationCheck(egress),
    ...adapters,
    settings: {
      analyze_concurrency: config.jobs.analyze_concurrency,
      analyses_hourly: config.jobs.analyses_hourly,
      glob_refresh_concurrency: config.jobs.glob_refresh_concurrency,
      scan_concurrency: config.jobs.scan_concurrency,
      job_heartbeat_ms: config.jobs.heartbeat_ms,
      job_silence_ms: config.jobs.silence_ms,
      reconcile_ms: RECONCILE_MS,
      app_url: config.http.app_url,
      // A person who can sign development tokens controls the machine anyway, so no allowlist is needed.
      allowlist: { ...config.allowlist, trusted_issuer: config.oidc === null ? DEVELOPMENT_ISSUER : null },
      platform_llm: config.llm.platform,
      prices: config.billing.prices,
      mail_domain: config.messages.mail_domain,
      slack_signing_secret: config.slack_app?.signing_secret ?? null,
      github_webhook_secret: config.github_app?.webhook_secret ?? null,
      audit_extended: config.audit_extended,
      checkpoints: checkpointSettings(config, log),
      federation: config.federation,
      can_assume_roles: config.aws_keys !== null,
    },
  });
}

function checkpointSettings({ checkpoints: { signing, lock_days } }: Config, log: Logger) {
  if (signing === null) {
    log.info('checkpoints of audit logs are not signed: CHECKPOINT_SIGNING_KEY is not set');
    return { signing: null, lock_days };
  }
  return { signing: { origin: signing.origin, keys: readEd25519Keys(signing.signing_key) }, lock_days };
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

async function listen(server: Server, port: number, config: Config, running: Running): Promise<string> {
  const { host } = config.http;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  running.stopFirst(() => closeServer(server, config.shutdown_grace_ms));
  const address = server.address() as AddressInfo;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`port ${port} is already in use; choose another with --port, or 0 for any`);
  if (error.code === 'EACCES') return new Error(`this user is not allowed to open port ${port}; choose one above 1023`);
  return new Error(`cannot listen on ${host}:${port}: ${error.message}`, { cause: error });
}

/**
 * Stops accepting connections; running requests can finish within the grace period, idle connections are closed now.
 */
async function closeServer(server: Server, grace_ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), grace_ms);
  await closed;
  clearTimeout(timer);
}
