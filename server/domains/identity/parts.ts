import type { DomainParts } from '../../contract/domain-parts.ts';
import { IDENTITY_AUDIT_EVENTS } from './audit-events.ts';
import { identityRoutes } from './routes.ts';
import type { Identity } from './service.ts';

export function identityParts(identity: Identity) {
  return {
    domain: 'identity',
    handlers: identityRoutes(identity),
    audit_events: IDENTITY_AUDIT_EVENTS,
  } satisfies DomainParts;
}
