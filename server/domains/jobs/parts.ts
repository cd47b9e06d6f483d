import type { DomainParts } from '../../contract/domain-parts.ts';
import { jobSweeps, jobWorkers } from './jobs.ts';
import { jobRoutes } from './routes.ts';
import type { Jobs } from './service.ts';

/** @param settings `concurrency`: jobs at once in one process */
export function jobParts(jobs: Jobs, settings: { concurrency: number; reconcile_ms: number }) {
  return {
    domain: 'jobs',
    handlers: jobRoutes(jobs),
    jobs: jobWorkers(jobs, settings.concurrency),
    sweeps: jobSweeps(jobs, settings.reconcile_ms),
  } satisfies DomainParts;
}
