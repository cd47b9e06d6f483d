/** The public record of billing. */
import type { LimitName, Plan } from '../entitlements/index.ts';
import type { BillingAccount } from './types.ts';

export interface OrgUse {
  plan: Plan;
  limits: readonly { resource: LimitName; limit: number; used: number }[];
}

/** Seats of the plan, used seats, and those above the plan; -1 means no limit. */
export function countSeats({ limits }: OrgUse): { included: number; used: number; overage: number } {
  const { limit = 0, used = 0 } = limits.find(({ resource }) => resource === 'seats') ?? {};
  return { included: limit, used, overage: limit === -1 ? 0 : Math.max(0, used - limit) };
}

export function billingRecord(use: OrgUse, account: BillingAccount | undefined, overage_enabled: boolean) {
  const status = account?.status ?? 'none';
  return {
    plan: use.plan,
    status,
    has_customer: account?.customer_id != null,
    seats: countSeats(use),
    overage_enabled,
    current_period_end: account?.current_period_end?.toISOString() ?? null,
    cancel_at_period_end: account?.cancel_at_period_end ?? false,
    payment_issue: describeIssue(status),
    updated_at: account?.updated_at.toISOString() ?? null,
  };
}

function describeIssue(status: BillingAccount['status']): string | null {
  if (status === 'past_due') {
    return 'The last payment failed. The plan stays while it is repeated; check the payment method in the billing portal.';
  }
  if (status === 'unpaid') {
    return 'An invoice was not paid, so the subscription grants no plan. Pay it in the billing portal.';
  }
  return status === 'incomplete' ? 'The first payment is not complete. Complete it in the billing portal.' : null;
}
