export { createTokenExchange, type TokenExchange } from './exchange-service.ts';
export { federationParts } from './parts.ts';
export { createFederation, type Federation } from './service.ts';
export type { FederationSettings } from './types.ts';
