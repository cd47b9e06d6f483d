import type { DomainParts } from '../../contract/domain-parts.ts';
import { STATE_SOURCE_AUDIT_EVENTS } from './audit-events.ts';
import { globRoutes } from './globs-routes.ts';
import { stateSourceJobs, stateSourceSweeps } from './jobs.ts';
import { stateSourceBodyReaders, stateSourcePathChecks, stateSourceRoutes } from './routes.ts';
import { SEALED_STATE_CONFIGS } from './seals.ts';
import type { StateSources } from './service.ts';
import { countSources } from './store.ts';

/** @param refresh_concurrency fetches of one worker process */
export function stateSourceParts(stateSources: StateSources, refresh_concurrency: number) {
  return {
    domain: 'state-sources',
    handlers: { ...stateSourceRoutes(stateSources), ...globRoutes(stateSources) },
    path_checks: stateSourcePathChecks(stateSources),
    body_readers: stateSourceBodyReaders(),
    jobs: stateSourceJobs(stateSources, refresh_concurrency),
    sweeps: stateSourceSweeps(stateSources),
    sealed_columns: [SEALED_STATE_CONFIGS],
    audit_events: STATE_SOURCE_AUDIT_EVENTS,
    settings: { state_source_secrets: 'verbatim' },
    limits: ['state_sources'],
    usage: { state_sources: countSources },
  } satisfies DomainParts;
}
