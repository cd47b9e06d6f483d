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
import { createWorkloadIssuers, type Deployment } from './adapters/workload-identity/index.ts';
import { type App, type AppDeps, createApp } from './app.ts';
import { openBroadcast } from './broadcast/index.ts';
import { openClouds, openLockedBuckets, openStateBackend } from './composition/clouds.ts';
import type { Config } from './config/index.ts';
import type { Clouds } from './domains/cloud-accounts/index.ts';
import { createAuthzBus } from './lib/authz-bus.ts';
import { readEd25519Keys } from './lib/ed25519-keys.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Running } from './running.ts';
import type { Stores } from './stores.ts';

const RECONCILE_MS = 10_000;
/** Reading a state is mostly waiting for its bytes; two, so that a slow one leaves a thread for others. */
const STATE_THREADS = 2;
const DRIFT_THREADS = 1;
const SLACK_CALLBACK = '/api/v2/chat/callback';

/** What callers can put in the place of what the configuration names. */
export interface AppOptions {
  log: Logger;
  /** Opened from the configuration if not given. */
  clouds?: Clouds;
  /** Used instead of the adapters that call clouds, state backends, and the destinations of checkpoints. */
  adapters?:
    | Partial<Pick<AppDeps, 'stateBackend' | 'assertAllowed' | 'accounts' | 'buckets' | 'commitOnce'>>
    | undefined;
}

/** Resources outside of this process or its event loop. */
export function openOutside({ plan_pool, drift_pool, egress }: Config, running: Running, metrics: Metrics) {
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
  options: AppOptions;
  stores: Stores;
  metrics: Metrics;
  running: Running;
  outside: ReturnType<typeof openOutside>;
  deployment: Deployment | null;
  now: () => Date;
}

/** Opens the adapters that the configuration names, and creates the app with them. */
export function buildApp({ config, options, stores, metrics, running, outside, deployment, now }: AppParts): App {
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
