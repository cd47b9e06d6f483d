import type { DomainParts } from '../../contract/domain-parts.ts';
import { WINDOW_MS } from './enqueue-limit.ts';
import type { Fixes } from './fix-service.ts';
import { analysisJobs, analysisSweeps } from './jobs.ts';
import type { AnalysisMaintenance } from './maintenance-service.ts';
import { analysisBodyReaders, analysisRoutes } from './routes.ts';
import type { RuleBooks } from './rule-book-service.ts';
import type { JobRunner } from './run-service.ts';
import type { Analysis } from './service.ts';
import { countAnalyses } from './store.ts';
import type { PlanPool } from './types.ts';

export interface AnalysisPartsDeps {
  analysis: Analysis;
  fixes: Fixes;
  ruleBooks: RuleBooks;
  runner: JobRunner;
  maintenance: AnalysisMaintenance;
  pool: Pick<PlanPool, 'intake'>;
  /** Jobs at once in one process. */
  concurrency: number;
  reconcile_ms: number;
}

export function analysisParts(deps: AnalysisPartsDeps) {
  return {
    domain: 'analysis',
    handlers: analysisRoutes(deps.analysis, deps.fixes, deps.ruleBooks),
    body_readers: analysisBodyReaders(deps.pool),
    jobs: analysisJobs(deps.runner, deps.concurrency),
    sweeps: analysisSweeps(deps.maintenance, deps.reconcile_ms),
    limits: ['analyses_hourly'],
    usage: {
      analyses_hourly: (read, org_id, now) => countAnalyses(read, org_id, new Date(now.getTime() - WINDOW_MS)),
    },
  } satisfies DomainParts;
}
