import type { DomainParts } from '../../contract/domain-parts.ts';
import { SCAN_AUDIT_EVENTS } from './audit-events.ts';
import { scanSweeps, scanWorkers } from './jobs.ts';
import { cloudScanRoutes } from './routes.ts';
import { countUnfinished } from './runs-store.ts';
import type { CloudScans } from './service.ts';

/** @param settings `concurrency`: scans at once in one process */
export function cloudScanParts(cloudScans: CloudScans, settings: { concurrency: number; reconcile_ms: number }) {
  return {
    domain: 'cloud-scans',
    handlers: cloudScanRoutes(cloudScans),
    jobs: scanWorkers(cloudScans, settings.concurrency),
    sweeps: scanSweeps(cloudScans, settings.reconcile_ms),
    audit_events: SCAN_AUDIT_EVENTS,
    limits: ['concurrent_scans'],
    usage: { concurrent_scans: countUnfinished },
  } satisfies DomainParts;
}
