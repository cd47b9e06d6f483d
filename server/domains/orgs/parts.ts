import type { DomainParts } from '../../contract/domain-parts.ts';
import { ORG_AUDIT_EVENTS } from './audit-events.ts';
import { orgSweeps } from './jobs.ts';
import { countSeats } from './limits-store.ts';
import { orgPathChecks, orgRoutes } from './routes.ts';
import { type Orgs, SEALED_NOISE_KEYS } from './service.ts';

export function orgParts(orgs: Orgs, base_urls: { app_url: string | null }) {
  return {
    domain: 'orgs',
    handlers: orgRoutes(orgs, base_urls),
    path_checks: orgPathChecks(orgs),
    sweeps: orgSweeps(orgs),
    sealed_columns: [SEALED_NOISE_KEYS],
    audit_events: ORG_AUDIT_EVENTS,
    limits: ['seats'],
    usage: { seats: countSeats },
  } satisfies DomainParts;
}
