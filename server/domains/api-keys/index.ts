export { apiKeySweeps } from './jobs.ts';
export { apiKeyRoutes } from './routes.ts';
export { type ApiKeys, createApiKeys } from './service.ts';
export type { AuthenticatedKey, EphemeralKey } from './types.ts';
