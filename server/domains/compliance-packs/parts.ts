import type { DomainParts } from '../../contract/domain-parts.ts';
import { PACK_AUDIT_EVENTS } from './audit-events.ts';
import { packSweeps, packWorkers } from './jobs.ts';
import { packRoutes } from './routes.ts';
import type { CompliancePacks } from './service.ts';

export function compliancePackParts(packs: CompliancePacks) {
  const { get } = packs.requests;
  return {
    domain: 'compliance-packs',
    handlers: packRoutes(packs),
    path_checks: {
      deleteCompliancePack: ({ org_id, path }) => get(org_id, path['eid'] ?? ''),
      downloadCompliancePack: ({ org_id, path }) => get(org_id, path['eid'] ?? ''),
    },
    jobs: packWorkers(packs),
    sweeps: packSweeps(packs),
    audit_events: PACK_AUDIT_EVENTS,
  } satisfies DomainParts;
}
