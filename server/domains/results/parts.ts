import type { DomainParts } from '../../contract/domain-parts.ts';
import type { Scans } from '../scans/index.ts';
import { RESULT_AUDIT_EVENTS } from './audit-events.ts';
import { resultPathChecks, resultRoutes } from './routes.ts';
import type { Results } from './service.ts';

export function resultParts(results: Results, scans: Scans) {
  return {
    domain: 'results',
    handlers: resultRoutes(results),
    path_checks: resultPathChecks(scans),
    audit_events: RESULT_AUDIT_EVENTS,
  } satisfies DomainParts;
}
