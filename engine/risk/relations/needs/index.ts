/** What resources that stay need from resources that go. */

import { GRANT_NEEDS } from './grants.ts';
import { AWS_GRANT_NEEDS } from './grants-aws.ts';
import { LINK_NEEDS } from './links.ts';
import type { Need } from './types.ts';

export { GOOGLE_GRANTS, readMembers } from './grants.ts';
export { HOSTS, listHosts, pointsTo, RECORDS_BY_TARGET } from './links.ts';
export type { Gone, Need } from './types.ts';

export const NEEDS: readonly Need[] = [...GRANT_NEEDS, ...AWS_GRANT_NEEDS, ...LINK_NEEDS];

/** The arguments that are read of each type. */
export const NEED_READS: readonly (readonly [type: string, names: readonly string[]])[] = NEEDS.flatMap(
  ({ users, looks_up = {} }) => [
    ...users.types.map((type) => [type, users.reads] as const),
    ...Object.entries(looks_up),
  ],
);
