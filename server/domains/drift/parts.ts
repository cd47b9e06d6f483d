import type { DomainParts, PathContext } from '../../contract/domain-parts.ts';
import { DRIFT_AUDIT_EVENTS } from './audit-events.ts';
import { driftSweeps, driftWorkers } from './jobs.ts';
import { driftRoutes } from './routes.ts';
import type { Drift } from './service.ts';

export interface DriftPartsDeps {
  now: () => Date;
  /** @throws NotFound if the organization has no such scan run */
  assertScan: (org_id: string, id: string) => Promise<void>;
  /** Computations after scans at once in one process. */
  concurrency: number;
}

export function driftParts(drift: Drift, { now, assertScan, concurrency }: DriftPartsDeps) {
  const check = ({ org_id, path }: PathContext) => assertScan(org_id, path['scan_id'] ?? '');
  const checkResource = ({ org_id, path }: PathContext) =>
    drift.iacGeneration.assertResource(org_id, path['resource_id'] ?? '');
  return {
    domain: 'drift',
    handlers: driftRoutes(drift, now),
    path_checks: {
      listDriftItems: check,
      computeDrift: check,
      generateDriftNarrative: check,
      generateResourceIac: checkResource,
    },
    jobs: driftWorkers(drift, concurrency),
    sweeps: driftSweeps(drift),
    audit_events: DRIFT_AUDIT_EVENTS,
  } satisfies DomainParts;
}
