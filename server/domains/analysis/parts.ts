import type { PlanPool } from '../../adapters/plan-pool/types.ts';
import type { DomainParts } from '../../contract/domain-parts.ts';
import { hourBefore } from '../../lib/hourly-limit.ts';
import type { Fixes } from './fix-service.ts';
import { analysisBodyReaders, analysisRoutes } from './routes.ts';
import type { RuleBooks } from './rule-book-service.ts';
import type { Analysis } from './service.ts';
import { countAnalyses } from './store.ts';

export interface AnalysisPartsDeps {
  analysis: Analysis;
  fixes: Fixes;
  ruleBooks: RuleBooks;
  pool: Pick<PlanPool, 'intake'>;
}

export function analysisParts({ analysis, fixes, ruleBooks, pool }: AnalysisPartsDeps) {
  return {
    domain: 'analysis',
    handlers: analysisRoutes(analysis, fixes, ruleBooks),
    body_readers: analysisBodyReaders(pool),
    limits: ['analyses_hourly'],
    usage: {
      analyses_hourly: (read, org_id, now) => countAnalyses(read, org_id, hourBefore(now)),
    },
  } satisfies DomainParts;
}
