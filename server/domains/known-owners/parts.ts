import type { DomainParts } from '../../contract/domain-parts.ts';
import { KNOWN_OWNER_AUDIT_EVENTS } from './audit-events.ts';
import { knownOwnerPathChecks, knownOwnerRoutes } from './routes.ts';
import type { KnownOwners } from './service.ts';
import { countConfirmed } from './store.ts';

export function knownOwnerParts(knownOwners: KnownOwners) {
  return {
    domain: 'known-owners',
    handlers: knownOwnerRoutes(knownOwners),
    path_checks: knownOwnerPathChecks(knownOwners),
    audit_events: KNOWN_OWNER_AUDIT_EVENTS,
    limits: ['known_owners'],
    usage: { known_owners: countConfirmed },
  } satisfies DomainParts;
}
