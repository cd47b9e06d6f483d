export { knownOwnerParts } from './parts.ts';
export { createKnownOwners, type KnownOwners } from './service.ts';
