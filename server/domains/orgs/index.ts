export { cleanName } from './name.ts';
export { orgParts } from './parts.ts';
export { userMembership } from './records.ts';
export { createOrgs, type Orgs, SEALED_NOISE_KEYS } from './service.ts';
export type { InvitedPerson, UserMembership } from './types.ts';
