/** What each org plan allows, as one pure table. */

const PLANS = ['free', 'team', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

interface Entitlements {
  /** Feature flags a UI may gate on. */
  features: readonly string[];
  /** How far back the scan list reaches; null = as far as rows are kept. */
  scan_list_window_hours: number | null;
}

const TEAM_FEATURES = ['audit_compliance', 'chat', 'glob_state_sources', 'sso'] as const;

const TABLE: Record<Plan, Entitlements> = {
  free: { features: [], scan_list_window_hours: 24 },
  team: { features: TEAM_FEATURES, scan_list_window_hours: null },
  enterprise: { features: [...TEAM_FEATURES, 'custom_limits'], scan_list_window_hours: null },
};

/** The entitlements of an org plan. */
export function entitlementsOf(plan: Plan): Entitlements {
  return TABLE[plan];
}
