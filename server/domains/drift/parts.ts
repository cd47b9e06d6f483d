import type { DomainParts, PathContext } from '../../contract/domain-parts.ts';
import { DRIFT_AUDIT_EVENTS } from './audit-events.ts';
import { driftSweeps } from './jobs.ts';
import { driftRoutes } from './routes.ts';
import type { Drift } from './service.ts';

/** @param assertScan throws NotFound if the organization has no such scan run */
export function driftParts(
  drift: Drift,
  { now, assertScan }: { now: () => Date; assertScan: (org_id: string, id: string) => Promise<void> },
) {
  const check = ({ org_id, path }: PathContext) => assertScan(org_id, path['scan_id'] ?? '');
  return {
    domain: 'drift',
    handlers: driftRoutes(drift, now),
    path_checks: { listDriftItems: check, computeDrift: check },
    sweeps: driftSweeps(drift),
    audit_events: DRIFT_AUDIT_EVENTS,
  } satisfies DomainParts;
}
