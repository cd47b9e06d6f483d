export { identityParts } from './parts.ts';
export { createIdentity, type Identity } from './service.ts';
