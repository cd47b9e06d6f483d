import type { DomainParts } from '../../contract/domain-parts.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import { INSTALLATION_AUDIT_EVENTS } from './audit-events.ts';
import { installationSweeps } from './jobs.ts';
import { installationBodyReaders, installationPathChecks, installationRoutes } from './routes.ts';
import { SEALED_INSTALLATION_KEYS } from './seals.ts';
import type { Installations } from './service.ts';

export function installationParts(installations: Installations, base_urls: BaseUrls) {
  return {
    domain: 'installations',
    handlers: installationRoutes(installations, base_urls),
    path_checks: installationPathChecks(installations),
    body_readers: installationBodyReaders(installations),
    sweeps: installationSweeps(installations),
    sealed_columns: [SEALED_INSTALLATION_KEYS],
    audit_events: INSTALLATION_AUDIT_EVENTS,
  } satisfies DomainParts;
}
