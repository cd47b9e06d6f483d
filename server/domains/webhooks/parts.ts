import type { DomainParts } from '../../contract/domain-parts.ts';
import type { Logger } from '../../log.ts';
import { WEBHOOK_AUDIT_EVENTS } from './audit-events.ts';
import { webhookJobs, webhookSweeps } from './jobs.ts';
import { webhookBodyReaders, webhookPathChecks, webhookRoutes } from './routes.ts';
import { SEALED_WEBHOOKS } from './seals.ts';
import type { Webhooks } from './service.ts';
import { countConfigs } from './store.ts';

export function webhookParts(webhooks: Webhooks, given: { api_url: string | null; log: Logger }) {
  return {
    domain: 'webhooks',
    handlers: webhookRoutes(webhooks, given),
    path_checks: webhookPathChecks(webhooks),
    body_readers: webhookBodyReaders(webhooks),
    jobs: webhookJobs(webhooks),
    sweeps: webhookSweeps(webhooks),
    sealed_columns: SEALED_WEBHOOKS,
    audit_events: WEBHOOK_AUDIT_EVENTS,
    limits: ['webhook_configs'],
    usage: { webhook_configs: countConfigs },
  } satisfies DomainParts;
}
