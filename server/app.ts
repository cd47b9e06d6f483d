/** The map of the system: every domain is made here, once, in dependency order. */
import type { BlobStore } from './adapters/blob/types.ts';
import type { GuardedFetch } from './adapters/egress/index.ts';
import type { GithubApp } from './adapters/github-app/index.ts';
import type { VerifyToken } from './adapters/oidc/index.ts';
import { fitsAnalysis, type PlanPool } from './adapters/plan-pool/index.ts';
import type { ProbeToken } from './adapters/scm-token/types.ts';
import type { WorkloadIssuers } from './adapters/workload-identity/index.ts';
import type { Handlers } from './contract/operation.ts';
import type { Db, Knex, OrgDatabase } from './db/index.ts';
import { type AllowlistSettings, allowlistRoutes, createAllowlist } from './domains/allowlist/index.ts';
import {
  analysisBodyReaders,
  analysisJobs,
  analysisRoutes,
  analysisSweeps,
  createAnalysis,
  createAnalysisUpkeep,
  createClassifier,
  createFixes,
  createFixWork,
  createJobRunner,
  createNarrator,
  createPlanWork,
  createQuestions,
  createRuleBooks,
  createTurns,
} from './domains/analysis/index.ts';
import { apiKeyRoutes, apiKeySweeps, createApiKeys } from './domains/api-keys/index.ts';
import { auditRoutes, auditSweeps, createAudit } from './domains/audit/index.ts';
import {
  createFederation,
  createTokenExchange,
  type FederationSettings,
  federationRoutes,
  federationSweeps,
} from './domains/federation/index.ts';
import { createIdentity, identityRoutes } from './domains/identity/index.ts';
import {
  createInstallations,
  installationBodyReaders,
  installationPathChecks,
  installationRoutes,
  installationSweeps,
  returnPage,
} from './domains/installations/index.ts';
import { createLlm, type LlmConfig, llmRoutes, llmSweeps, type OpenLlmClient } from './domains/llm/index.ts';
import { createNoise, noiseRoutes, noiseSweeps } from './domains/noise/index.ts';
import { createOrgs, orgPathChecks, orgRoutes, orgSweeps } from './domains/orgs/index.ts';
import { createPullRequests, pullRequestRoutes, pullRequestSweeps } from './domains/pull-requests/index.ts';
import { createResults, resultPathChecks, resultRoutes } from './domains/results/index.ts';
import { createRules, rulePathChecks, ruleRoutes } from './domains/rules/index.ts';
import { createScans, scanRoutes, scanSweeps } from './domains/scans/index.ts';
import { createTraces, traceRoutes, traceSweeps } from './domains/traces/index.ts';
import {
  createWebhooks,
  webhookBodyReaders,
  webhookJobs,
  webhookPathChecks,
  webhookRoutes,
  webhookSweeps,
} from './domains/webhooks/index.ts';
import type { AuthzBus } from './lib/authz-bus.ts';
import type { Sealer } from './lib/seal.ts';
import type { StateSigner } from './lib/state-signer.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { enqueue, type JobPayload, type Turn } from './queue/index.ts';

export interface AppDeps {
  /** Works inside one org. */
  db: OrgDatabase;
  /** Works across orgs: login, administration, upkeep. */
  platform_db: Knex;
  /** One connection across orgs, which the audit log has to itself. */
  audit_db: Db;
  /** Works with the role that may delete by retention. */
  sweep_db: Db;
  blobs: BlobStore;
  sealer: Sealer;
  states: StateSigner;
  authz: AuthzBus;
  verifyToken: VerifyToken;
  /** Issuers of the tokens that CI brings. */
  issuers: WorkloadIssuers;
  pool: PlanPool;
  /** The deployment's GitHub App; null where it has none. */
  github: GithubApp | null;
  /** Clients of language models. */
  openLlmClient: OpenLlmClient;
  /** Refuses an address that leads elsewhere than to a public https server. @throws InvalidInput `url_not_allowed` */
  assertPublicUrl: (url: string, field: string) => void;
  /** `fetch` for addresses that customers name. */
  guardedFetch: GuardedFetch;
  /** Asks the host of a repository about a token. */
  probeToken: ProbeToken;
  log: Logger;
  metrics: Metrics;
  now: () => Date;
  settings: AppSettings;
}

export interface AppSettings {
  analyze_concurrency: number;
  /** How often a running job says that it is alive, and how long a silent one is believed to be. */
  /** How many analyses an organization may submit in an hour, unless set for it. */
  analyses_hourly: number;
  job_heartbeat_ms: number;
  job_silence_ms: number;
  reconcile_ms: number;
  /** Where people's browsers find the service; null = links are paths. */
  app_url: string | null;
  allowlist: AllowlistSettings;
  federation: FederationSettings;
  /** The deployment's own model account; null = orgs without one get deterministic texts. */
  platform_llm: LlmConfig | null;
  /** Signs what GitHub delivers to the App; null where there is none. */
  github_webhook_secret: string | null;
  /** Whether the audit log also holds actions beyond the interface specification. */
  audit_extended: boolean;
}

export function createApp(deps: AppDeps) {
  const { db, platform_db, sweep_db, blobs, sealer, authz, verifyToken, pool, log, now, settings } = deps;
  const enqueueJob = (trx: Db, payload: JobPayload, turn?: Turn) => enqueue(trx, 'analyze', payload, turn);

  const audit = createAudit({ ...deps, extended: settings.audit_extended });
  const allowlist = createAllowlist({ platform_db, audit, authz, now, settings: settings.allowlist });
  const orgs = createOrgs({
    ...deps,
    audit,
    maySignIn: allowlist.isAllowed,
    analyses_hourly: settings.analyses_hourly,
  });
  const apiKeys = createApiKeys({ ...deps, orgs, audit });
  const identity = createIdentity({ platform_db, verifyToken, allowlist, apiKeys, audit, authz, now });
  const federation = createFederation({ ...deps, apiKeys, audit, settings: settings.federation });
  const tokenExchange = createTokenExchange({ ...deps, apiKeys, api_url: settings.federation.api_url });
  const enqueueReceived = (trx: Db, payload: { org_id: string; id: string }) => enqueue(trx, 'scm', payload);
  const enqueueSending = (trx: Db, payload: { org_id: string; id: string }, at?: Date) =>
    enqueue(trx, 'webhook', payload, { at });
  const outbox = { enqueueReceived, enqueueSending };
  const webhooks = createWebhooks({ ...deps, orgs, apiKeys, audit, ...outbox, random: Math.random });
  const places = { app_url: settings.app_url, api_url: settings.federation.api_url };
  const scans = createScans({ db, sweep_db, now, planOf: async (orgId) => (await orgs.get(orgId)).plan });
  const installations = createInstallations({
    ...deps,
    orgs,
    apiKeys,
    audit,
    scans,
    acceptDelivery: webhooks.deliveries.accept,
    webhook_secret: settings.github_webhook_secret,
    places,
  });
  const rules = createRules({ db, now, orgs, audit, scans, pool });
  const results = createResults({ ...deps, orgs, identity, scans, audit, api_url: places.api_url });
  const traces = createTraces({ db, sweep_db, blobs, sealer, scans, now, log });
  const noise = createNoise({ db, sweep_db, audit, log, now });
  const llm = createLlm({
    ...deps,
    orgs,
    audit,
    openClient: deps.openLlmClient,
    platform: settings.platform_llm,
    app_url: settings.app_url,
  });
  const pullRequests = createPullRequests({
    ...deps,
    enqueue: (trx, payload, at) => enqueue(trx, 'pull-request', payload, { at }),
  });
  const { quotas } = llm;
  const enqueueInTurn = createTurns({ now, enqueue: enqueueJob });
  const jobs = { db, now, quotas, enqueue: enqueueInTurn };
  const analysis = createAnalysis({ ...jobs, orgs, scans, blobs, sealer });
  const fixes = createFixes({ ...jobs, noise });
  const ruleBooks = createRuleBooks({ orgs, rules, noise });
  const questions = createQuestions({ llm, orgs, traces, log });
  const classifier = createClassifier({ questions, configs: llm.configs, traces, log });
  const narrator = createNarrator({ questions, pool });
  const runner = createJobRunner({
    db,
    now,
    log,
    blobs,
    quotas,
    works: {
      analyze: createPlanWork({ db, now, scans, ruleBooks, noise, classifier, narrator, blobs, sealer, pool }),
      fix: createFixWork({ noise, scans, questions, traces, pool }),
    },
    onEnded: (trx, { org_id, id }) => pullRequests.jobEnded(trx, org_id, id),
    heartbeat_ms: settings.job_heartbeat_ms,
    concurrency: settings.analyze_concurrency,
    enqueue: enqueueInTurn,
  });
  const upkeep = createAnalysisUpkeep({
    platform_db,
    sweep_db,
    now,
    blobs,
    enqueue: enqueueJob,
    failExhausted: runner.failExhausted,
    silence_ms: settings.job_silence_ms,
  });

  return {
    /** What must be in the database before requests are served. */
    async prepare() {
      await allowlist.seed();
      await webhooks.sealTargets();
    },
    close: audit.close,
    authenticate: identity.authenticate,
    findOrg: orgs.findContext,
    handlers: {
      ...auditRoutes(audit),
      ...allowlistRoutes(allowlist),
      ...orgRoutes(orgs, settings),
      ...apiKeyRoutes(apiKeys),
      ...identityRoutes(identity),
      ...federationRoutes(federation, tokenExchange),
      ...webhookRoutes(webhooks, { api_url: settings.federation.api_url, log }),
      ...installationRoutes(installations, places),
      ...ruleRoutes(rules),
      ...noiseRoutes(noise),
      ...llmRoutes(llm),
      ...scanRoutes(scans),
      ...resultRoutes(results),
      ...traceRoutes(traces),
      ...analysisRoutes(analysis, fixes, ruleBooks),
      ...pullRequestRoutes({ pullRequests, analysis, fitsAnalysis }),
    } satisfies Handlers,
    pathChecks: {
      ...orgPathChecks(orgs),
      ...rulePathChecks(rules),
      ...webhookPathChecks(webhooks),
      ...installationPathChecks(installations),
      ...resultPathChecks(scans),
    },
    bodyReaders: {
      ...analysisBodyReaders(pool),
      ...webhookBodyReaders(webhooks),
      ...installationBodyReaders(installations),
    },
    /** Pages for people beside the API. */
    pages: { results, githubReturn: returnPage },
    /** What a bot is given; see server/bot.ts. */
    bot: { webhooks, installations, orgs, pullRequests },
    jobs: [...analysisJobs(runner, settings.analyze_concurrency), ...webhookJobs(webhooks)],
    sweeps: [
      ...auditSweeps(audit),
      ...orgSweeps(orgs),
      ...apiKeySweeps(apiKeys),
      ...federationSweeps(federation),
      ...webhookSweeps(webhooks),
      ...installationSweeps(installations),
      ...scanSweeps(scans),
      ...traceSweeps(traces),
      ...noiseSweeps(noise),
      ...llmSweeps(llm),
      ...analysisSweeps(upkeep, settings.reconcile_ms),
      ...pullRequestSweeps(pullRequests),
    ],
  };
}

export type App = ReturnType<typeof createApp>;
