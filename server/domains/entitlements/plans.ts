/** The limits of all plans, as one pure table. */
import type { Plan } from '../../lib/errors.ts';

export type { Plan };

/** Smallest first. */
export const PLANS = ['free', 'team', 'enterprise'] as const satisfies readonly Plan[];

export const LIMIT_NAMES = [
  'seats',
  'schedules',
  'schedule_interval',
  'state_sources',
  'cloud_accounts',
  'concurrent_scans',
  'custom_rules',
  'known_owners',
  'api_keys',
  'webhook_configs',
  'llm_weekly',
  'llm_hourly',
  'analyses_hourly',
] as const;
/** @see openapi.yaml, LimitName */
export type LimitName = (typeof LIMIT_NAMES)[number];

/** `schedule_interval` is the minimum interval in minutes, all others are maximums; -1 means no limit. */
export type Limits = Readonly<Record<LimitName, number>>;

export interface Entitlements {
  /** Feature flags for a UI, sorted. */
  features: readonly string[];
  limits: Limits;
  /** Whether an organization with a subscription can have more seats, which are billed. */
  sells_seats: boolean;
  /** How far back the list of scans goes; null = as far as rows are stored. */
  scan_list_window_hours: number | null;
  /** How far back a Compliance Pack can go; 0 = not available, null = as far as the log goes. */
  pack_window_days: number | null;
}

const UNLIMITED = -1;
/** @see the interface specification, Limits: analyze enqueue rate, per organization, every plan */
const ANALYSES_HOURLY = 30;
const TEAM_FEATURES = ['audit_compliance', 'chat', 'glob_state_sources', 'sso'] as const;

const TABLE: Readonly<Record<Plan, Entitlements>> = {
  free: {
    features: [],
    limits: {
      seats: 1,
      schedules: 1,
      schedule_interval: 1_440,
      state_sources: 3,
      cloud_accounts: 1,
      concurrent_scans: 1,
      custom_rules: 5,
      known_owners: 50,
      api_keys: 3,
      webhook_configs: 2,
      llm_weekly: 5,
      llm_hourly: UNLIMITED,
      analyses_hourly: ANALYSES_HOURLY,
    },
    sells_seats: false,
    scan_list_window_hours: 24,
    pack_window_days: 0,
  },
  team: {
    features: TEAM_FEATURES,
    limits: {
      seats: 10,
      schedules: 25,
      schedule_interval: 60,
      state_sources: 100,
      cloud_accounts: 20,
      concurrent_scans: 5,
      custom_rules: 100,
      known_owners: 200,
      api_keys: 50,
      webhook_configs: 50,
      llm_weekly: UNLIMITED,
      llm_hourly: 20,
      analyses_hourly: ANALYSES_HOURLY,
    },
    sells_seats: true,
    scan_list_window_hours: null,
    pack_window_days: 30,
  },
  enterprise: {
    features: [...TEAM_FEATURES, 'custom_limits'].sort(),
    limits: {
      seats: UNLIMITED,
      schedules: UNLIMITED,
      schedule_interval: 5,
      state_sources: UNLIMITED,
      cloud_accounts: UNLIMITED,
      concurrent_scans: 25,
      custom_rules: 1_000,
      known_owners: 500,
      api_keys: 500,
      webhook_configs: UNLIMITED,
      llm_weekly: UNLIMITED,
      llm_hourly: UNLIMITED,
      analyses_hourly: ANALYSES_HOURLY,
    },
    sells_seats: false,
    scan_list_window_hours: null,
    pack_window_days: null,
  },
};

/** The entitlements of a plan, before any override. */
export function resolveEntitlements(plan: Plan): Entitlements {
  return TABLE[plan];
}
