import type { DomainParts } from '../../contract/domain-parts.ts';
import { auditSweeps } from './jobs.ts';
import { auditRoutes } from './routes.ts';
import type { Audit } from './service.ts';

export function auditParts(audit: Audit) {
  return {
    domain: 'audit',
    handlers: auditRoutes(audit),
    sweeps: auditSweeps(audit),
  } satisfies DomainParts;
}
