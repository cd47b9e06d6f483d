export { apiKeyParts } from './parts.ts';
export { type ApiKeys, createApiKeys } from './service.ts';
export type { AuthenticatedKey, EphemeralKey } from './types.ts';
