import type { DomainParts, PathContext } from '../../contract/domain-parts.ts';
import { DRIFT_AUDIT_EVENTS } from './audit-events.ts';
import { driftSweeps, driftWorkers } from './jobs.ts';
import type { PlanDrifts } from './plan-drift-service.ts';
import { driftRoutes } from './routes.ts';
import type { Drift } from './service.ts';

export interface DriftPartsDeps {
  now: () => Date;
  /** @throws NotFound if the organization has no such scan run */
  assertScan: (org_id: string, id: string) => Promise<void>;
  planDrift: Pick<PlanDrifts, 'list'>;
  /** Computations after scans at once in one process. */
  concurrency: number;
}

export function driftParts(drift: Drift, { now, assertScan, planDrift, concurrency }: DriftPartsDeps) {
  const check = ({ org_id, path }: PathContext) => assertScan(org_id, path['scan_id'] ?? '');
  const checkResource = ({ org_id, path }: PathContext) =>
    drift.iacGeneration.assertResource(org_id, path['resource_id'] ?? '');
  return {
    domain: 'drift',
    handlers: driftRoutes({ ...drift, planDrift }, now),
    path_checks: {
      listDriftItems: check,
      computeDrift: check,
      listPlanDrift: check,
      generateDriftNarrative: check,
      generateResourceIac: checkResource,
    },
    jobs: driftWorkers(drift, concurrency),
    sweeps: driftSweeps(drift),
    audit_events: DRIFT_AUDIT_EVENTS,
  } satisfies DomainParts;
}
