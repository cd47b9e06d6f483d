import type { DomainParts } from '../../contract/domain-parts.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import { CHECKPOINT_AUDIT_EVENTS } from './audit-events.ts';
import { checkpointSweeps } from './jobs.ts';
import { checkpointRoutes } from './routes.ts';
import type { Checkpoints } from './service.ts';

export function checkpointParts(checkpoints: Checkpoints, base_urls: BaseUrls) {
  return {
    domain: 'checkpoints',
    handlers: checkpointRoutes(checkpoints, base_urls),
    sweeps: checkpointSweeps(checkpoints),
    audit_events: CHECKPOINT_AUDIT_EVENTS,
  } satisfies DomainParts;
}
