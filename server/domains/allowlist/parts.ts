import type { DomainParts } from '../../contract/domain-parts.ts';
import { ALLOWLIST_AUDIT_EVENTS } from './audit-events.ts';
import { allowlistRoutes } from './routes.ts';
import type { Allowlist } from './service.ts';

export function allowlistParts(allowlist: Allowlist) {
  return {
    domain: 'allowlist',
    handlers: allowlistRoutes(allowlist),
    audit_events: ALLOWLIST_AUDIT_EVENTS,
  } satisfies DomainParts;
}
