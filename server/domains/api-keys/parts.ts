import type { DomainParts } from '../../contract/domain-parts.ts';
import { API_KEY_AUDIT_EVENTS } from './audit-events.ts';
import { apiKeySweeps } from './jobs.ts';
import { apiKeyRoutes } from './routes.ts';
import type { ApiKeys } from './service.ts';
import { countLiveKeys } from './store.ts';

export function apiKeyParts(apiKeys: ApiKeys) {
  return {
    domain: 'api-keys',
    handlers: apiKeyRoutes(apiKeys),
    sweeps: apiKeySweeps(apiKeys),
    audit_events: API_KEY_AUDIT_EVENTS,
    limits: ['api_keys'],
    usage: { api_keys: countLiveKeys },
  } satisfies DomainParts;
}
