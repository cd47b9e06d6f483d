export { createTokenExchange, type TokenExchange } from './exchange-service.ts';
export { federationSweeps } from './jobs.ts';
export { federationRoutes } from './routes.ts';
export { createFederation, type Federation } from './service.ts';
export type { FederationSettings } from './types.ts';
