export { cleanName } from './name.ts';
export { orgParts } from './parts.ts';
export { createOrgs, type Orgs, SEALED_NOISE_KEYS } from './service.ts';
