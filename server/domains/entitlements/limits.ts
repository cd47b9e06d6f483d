/** Checks whether a request stays within an organization's limits, and builds the error if not. */
import { PaymentRequired, type Plan } from '../../lib/errors.ts';
import { type LimitName, type Limits, PLANS, resolveEntitlements } from './plans.ts';

/** Limits of one organization, which override those of any plan. */
export type Overrides = Readonly<Partial<Record<LimitName, number>>>;

/** What an organization has bought. */
export interface Contract {
  plan: Plan;
  /** Limits of this deployment, which replace those of every plan. */
  defaults?: Overrides;
  overrides: Overrides;
  /** Whether the organization pays for each seat above those of its plan. */
  seat_overage?: boolean;
}

/** The effective limits of an organization. */
export function resolveLimits({ plan, defaults, overrides }: Contract): Limits {
  return { ...resolveEntitlements(plan).limits, ...defaults, ...overrides };
}

/**
 * @param used the count before the request; for `schedule_interval` the requested interval in minutes
 * @param added how many the request adds
 * @throws PaymentRequired `plan_limit_exceeded`, or `plan_schedule_frequency` for the interval
 * @see openapi.yaml, PlanLimitError
 */
export function assertWithin(contract: Contract, resource: LimitName, used: number, added = 1): void {
  if (isWithin(resolveLimits(contract)[resource], resource, used, added)) return;
  if (resource === 'seats' && paysForMoreSeats(contract)) return;
  throw limitExceeded(contract, resource, used, added);
}

/**
 * @throws PaymentRequired `plan_feature_required`
 * @see openapi.yaml, PlanLimitError
 */
export function assertIncluded({ plan }: Contract, feature: string): void {
  if (includes(plan, feature)) return;
  const required_plan = PLANS.slice(PLANS.indexOf(plan) + 1).find((larger) => includes(larger, feature)) ?? null;
  throw new PaymentRequired('plan_feature_required', {
    message: `The ${plan} plan does not include ${feature}. ${advise(required_plan)}`,
    limit: 0,
    used: 0,
    plan,
    required_plan,
    resource: feature,
    feature,
  });
}

function includes(plan: Plan, feature: string): boolean {
  return resolveEntitlements(plan).features.includes(feature);
}

/** Only on plans that sell more seats; an override is a fixed number. @see the contract decisions, D50 */
function paysForMoreSeats({ plan, overrides, seat_overage = false }: Contract): boolean {
  return seat_overage && overrides.seats === undefined && resolveEntitlements(plan).sells_seats;
}

/** The error, with the smallest larger plan that would allow the same request. */
function limitExceeded(contract: Contract, resource: LimitName, used: number, added: number): PaymentRequired {
  const { plan, defaults, overrides } = contract;
  const limit = resolveLimits(contract)[resource];
  const required_plan =
    PLANS.slice(PLANS.indexOf(plan) + 1).find((larger) =>
      isWithin(
        resolveLimits({ plan: larger, ...(defaults && { defaults }), overrides })[resource],
        resource,
        used,
        added,
      ),
    ) ?? null;
  return new PaymentRequired(resource === 'schedule_interval' ? 'plan_schedule_frequency' : 'plan_limit_exceeded', {
    message: `${describe(resource, limit, used, added)} ${advise(required_plan)}`,
    limit,
    used,
    plan,
    required_plan,
    resource,
  });
}

function isWithin(limit: number, resource: LimitName, used: number, added: number): boolean {
  if (resource === 'schedule_interval') return used >= limit;
  return limit === -1 || used + added <= limit;
}

const NOUNS: Record<Exclude<LimitName, 'schedule_interval'>, string> = {
  seats: 'seats (members and open invitations)',
  schedules: 'schedules',
  state_sources: 'state sources',
  cloud_accounts: 'cloud accounts',
  concurrent_scans: 'concurrent scans',
  custom_rules: 'custom rules',
  known_owners: 'confirmed owners',
  api_keys: 'API keys',
  webhook_configs: 'webhook configurations',
  llm_weekly: 'explanations this week',
  llm_hourly: 'explanations this hour',
  analyses_hourly: 'analyses this hour',
};

function describe(resource: LimitName, limit: number, used: number, added: number): string {
  if (resource === 'schedule_interval') {
    return `Schedules of this organization can run at most every ${limit} minutes; this one would run every ${used}.`;
  }
  const request = added > 1 ? `; this request adds ${added}` : '';
  return `This organization uses ${used} of its ${limit} ${NOUNS[resource]}${request}.`;
}

function advise(required: Plan | null): string {
  if (required === null) return 'No plan allows more; ask the operator of this service to raise the limit.';
  return `The ${required} plan allows it.`;
}
