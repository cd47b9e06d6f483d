/** What a change to another plan does to an organization. */
import { type Contract, resolveLimits } from './limits.ts';
import { LIMIT_NAMES, type LimitName, type Plan, resolveEntitlements } from './plans.ts';

export interface PlanPreview {
  from: Plan;
  to: Plan;
  /** Sorted. */
  features_lost: string[];
  /** Sorted. */
  features_gained: string[];
  /** In a fixed order. */
  limits: {
    resource: LimitName;
    limit: number;
    used: number;
    /** How many are above the limit. Nothing is deleted, and no more can be created. */
    excess: number;
  }[];
  /** Schedules that are disabled, the newest first. */
  schedules_disabled: boolean;
}

/** @param used the usage of each limit; missing ones are not used */
export function previewPlan(contract: Contract, to: Plan, used: ReadonlyMap<LimitName, number>): PlanPreview {
  const [before, after] = [resolveEntitlements(contract.plan).features, resolveEntitlements(to).features];
  const allowed = resolveLimits({ ...contract, plan: to });
  const limits = LIMIT_NAMES.map((resource) => {
    const [limit, count] = [allowed[resource], used.get(resource) ?? 0];
    return { resource, limit, used: count, excess: countExcess(resource, limit, count) };
  });
  return {
    from: contract.plan,
    to,
    features_lost: before.filter((feature) => !after.includes(feature)),
    features_gained: after.filter((feature) => !before.includes(feature)),
    limits,
    schedules_disabled: limits.some(
      ({ resource, excess }) => (resource === 'schedules' || resource === 'schedule_interval') && excess > 0,
    ),
  };
}

/** For the interval, the minutes by which the shortest one is below the limit; an interval of 0 means no schedule. */
function countExcess(resource: LimitName, limit: number, used: number): number {
  if (resource === 'schedule_interval') return used === 0 ? 0 : Math.max(0, limit - used);
  return limit === -1 ? 0 : Math.max(0, used - limit);
}
