/** What resources that stay need from resources that go. */
import { AWS_GRANT_NEEDS, GRANT_NEEDS } from './grants.ts';
import { LINK_NEEDS } from './links.ts';
import type { Need } from './types.ts';

export { GOOGLE_GRANTS, readMembers } from './grants.ts';
export { HOSTS, pointsTo, RECORDS } from './links.ts';
export type { Gone, Need } from './types.ts';

export const NEEDS: readonly Need[] = [...GRANT_NEEDS, ...AWS_GRANT_NEEDS, ...LINK_NEEDS];

/** Types of which the whole plan is needed. */
export const NEED_TYPES: ReadonlySet<string> = new Set(NEEDS.flatMap(({ types, users }) => [...types, ...users]));
