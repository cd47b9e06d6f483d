export { createTokenExchange, type TokenExchange } from './exchange-service.ts';
export { formatOrgSubject, TOKEN_AUDIENCES } from './info.ts';
export { federationParts } from './parts.ts';
export { createFederation, type Federation, federationNotConfigured } from './service.ts';
export type { FederationSettings } from './types.ts';
