import type { DomainParts } from '../../contract/domain-parts.ts';
import { SCAN_AUDIT_EVENTS } from './audit-events.ts';
import { cloudScanJobs, cloudScanSweeps } from './jobs.ts';
import { cloudScanRoutes } from './routes.ts';
import { countUnfinished } from './runs-store.ts';
import type { CloudScans } from './service.ts';

/** @param settings `concurrency`: scans at once in one process */
export function cloudScanParts(cloudScans: CloudScans, settings: { concurrency: number; reconcile_ms: number }) {
  return {
    domain: 'cloud-scans',
    handlers: cloudScanRoutes(cloudScans),
    jobs: cloudScanJobs(cloudScans, settings.concurrency),
    sweeps: cloudScanSweeps(cloudScans, settings.reconcile_ms),
    audit_events: SCAN_AUDIT_EVENTS,
    limits: ['concurrent_scans'],
    usage: { concurrent_scans: countUnfinished },
  } satisfies DomainParts;
}
