/** From a plan to a verdict, and the rules of organizations. */
import type { Db } from '../db/index.ts';
import {
  analysisParts,
  createAnalysis,
  createClassifier,
  createFixes,
  createFixHandler,
  createNarrator,
  createPlanHandler,
  createRuleBooks,
  createTracedModelCalls,
} from '../domains/analysis/index.ts';
import type { PlanDrifts } from '../domains/drift/index.ts';
import { type Claim, createJobs, jobParts } from '../domains/jobs/index.ts';
import { createKnownOwners, knownOwnerParts } from '../domains/known-owners/index.ts';
import { createLlm, type LlmConfig, llmParts, type OpenLlmClient } from '../domains/llm/index.ts';
import { createNoise, noiseParts } from '../domains/noise/index.ts';
import type { PlanLinks } from '../domains/resources/index.ts';
import { createResults, resultParts } from '../domains/results/index.ts';
import { createRules, ruleParts } from '../domains/rules/index.ts';
import { createScans, scanParts } from '../domains/scans/index.ts';
import { createTraces, traceParts } from '../domains/traces/index.ts';
import { enqueue } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { Platform } from './platform.ts';

/** A job when it ends. */
export type EndedJob = Pick<Claim, 'org_id' | 'id' | 'kind' | 'scan_run_id'>;

export interface PlansDeps {
  platform: Platform;
  /** Connects changes with the inventory. */
  planLinks: PlanLinks;
  planDrift: Pick<PlanDrifts, 'record'>;
  /** Creates clients of language models. */
  openLlmClient: OpenLlmClient;
  /** Called in the transaction that ends a job. */
  onJobEnded: (trx: Db, job: EndedJob) => Promise<void>;
  /** Databases across organizations, for each domain that has one. */
  cross_org: {
    scans: { sweep_db: Db };
    traces: { sweep_db: Db };
    noise: { sweep_db: Db };
    llm: { platform_db: Db; sweep_db: Db };
    jobs: { platform_db: Db; sweep_db: Db };
  };
  settings: {
    /** Maximum number of concurrent jobs in one process. */
    analyze_concurrency: number;
    /** Interval of a running job's heartbeat, and the time without one after which the job counts as lost. */
    job_heartbeat_ms: number;
    job_silence_ms: number;
    reconcile_ms: number;
    /** The deployment's own model account; null = organizations without an account get deterministic texts. */
    platform_llm: LlmConfig | null;
  };
}

export function createPlans(foundation: Foundation, deps: PlansDeps) {
  const { platform, planLinks, planDrift, openLlmClient, onJobEnded, cross_org, settings } = deps;
  const { orgs } = platform;
  const { columns, base_urls, pool } = foundation;
  const shared = { ...foundation, ...platform };

  const scans = createScans({
    ...shared,
    ...cross_org.scans,
    getOrgPlan: async (orgId) => (await orgs.get(orgId)).plan,
  });
  const rules = createRules({ ...shared, scans });
  const results = createResults({ ...shared, scans, api_url: base_urls.api_url });
  const traces = createTraces({ ...shared, ...cross_org.traces, scans });
  const noise = createNoise({ ...shared, ...cross_org.noise });
  const knownOwners = createKnownOwners(shared);
  const llm = createLlm({
    ...shared,
    ...cross_org.llm,
    sealer: columns,
    openClient: openLlmClient,
    platform: settings.platform_llm,
    app_url: base_urls.app_url,
  });

  const jobs = createJobs({
    ...shared,
    ...cross_org.jobs,
    quotas: llm.quotas,
    enqueue: (trx, payload, turn) => enqueue(trx, 'analyze', payload, turn),
    onEnded: onJobEnded,
    heartbeat_ms: settings.job_heartbeat_ms,
    silence_ms: settings.job_silence_ms,
    concurrency: settings.analyze_concurrency,
  });
  const analysis = createAnalysis({ ...shared, jobs, scans });
  const fixes = createFixes({ ...shared, jobs, noise });
  const ruleBooks = createRuleBooks({ orgs, rules, noise, knownOwners });
  const modelCalls = createTracedModelCalls({ ...shared, llm, traces });
  const classifier = createClassifier({ ...shared, modelCalls, configs: llm.configs, traces });
  const narrator = createNarrator({ orgs, modelCalls, pool });
  jobs.register(
    'analyze',
    createPlanHandler({ ...shared, scans, ruleBooks, noise, knownOwners, planLinks, planDrift, classifier, narrator }),
  );
  jobs.register('fix', createFixHandler({ noise, scans, modelCalls, traces, pool }));

  const { analyze_concurrency: concurrency, reconcile_ms } = settings;
  return {
    scans,
    noise,
    results,
    analysis,
    jobs,
    modelCalls,
    ruleBooks,
    models: llm.configs,
    traces,
    parts: [
      scanParts(scans),
      ruleParts(rules),
      resultParts(results, scans),
      traceParts(traces),
      noiseParts(noise),
      knownOwnerParts(knownOwners),
      llmParts(llm),
      jobParts(jobs, { concurrency, reconcile_ms }),
      analysisParts({ analysis, fixes, ruleBooks, pool }),
    ],
  };
}

export type Plans = ReturnType<typeof createPlans>;
