import type { DomainParts } from '../../contract/domain-parts.ts';
import { BILLING_AUDIT_EVENTS } from './audit-events.ts';
import { billingJobs, billingSweeps } from './jobs.ts';
import { billingBodyReaders, billingRoutes } from './routes.ts';
import type { Billing } from './service.ts';

export function billingParts(billing: Billing) {
  return {
    domain: 'billing',
    handlers: billingRoutes(billing),
    body_readers: billingBodyReaders(billing),
    jobs: billingJobs(billing),
    sweeps: billingSweeps(billing),
    audit_events: BILLING_AUDIT_EVENTS,
  } satisfies DomainParts;
}
