/** The types of a plan that relations between resources look up. */
import { GROUP_TYPES } from './everyone.ts';
import { FIT_TYPES } from './fits/index.ts';
import { NEED_TYPES } from './needs/index.ts';

import { SHIELD_TYPES } from './shields.ts';

export const NEIGHBOR_TYPES: ReadonlySet<string> = new Set([
  ...FIT_TYPES,
  ...NEED_TYPES,
  ...GROUP_TYPES,
  ...SHIELD_TYPES,
]);
