import type { OrgRules } from './types.ts';

/** An organization without rules of its own. */
export const NO_ORG_RULES: OrgRules = {
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  suppressions: [],
  owners: [],
  policy: { version: 0, rules: [] },
};
