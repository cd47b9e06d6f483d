import type { DomainParts } from '../../contract/domain-parts.ts';
import { FEDERATION_AUDIT_EVENTS } from './audit-events.ts';
import type { TokenExchange } from './exchange-service.ts';
import { federationSweeps } from './jobs.ts';
import { federationRoutes } from './routes.ts';
import type { Federation } from './service.ts';

export function federationParts(federation: Federation, tokenExchange: TokenExchange) {
  return {
    domain: 'federation',
    handlers: federationRoutes(federation, tokenExchange),
    sweeps: federationSweeps(federation),
    audit_events: FEDERATION_AUDIT_EVENTS,
  } satisfies DomainParts;
}
