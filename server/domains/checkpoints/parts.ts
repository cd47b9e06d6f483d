import type { DomainParts } from '../../contract/domain-parts.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import { CHECKPOINT_AUDIT_EVENTS } from './audit-events.ts';
import { destinationRoutes } from './destination-routes.ts';
import { checkpointSweeps } from './jobs.ts';
import { checkpointRoutes } from './routes.ts';
import { SEALED_BUCKET_KEYS } from './seals.ts';
import type { Checkpoints } from './service.ts';

export function checkpointParts(checkpoints: Checkpoints, base_urls: BaseUrls) {
  return {
    domain: 'checkpoints',
    handlers: { ...checkpointRoutes(checkpoints, base_urls), ...destinationRoutes(checkpoints) },
    sweeps: checkpointSweeps(checkpoints),
    sealed_columns: [SEALED_BUCKET_KEYS],
    audit_events: CHECKPOINT_AUDIT_EVENTS,
  } satisfies DomainParts;
}
