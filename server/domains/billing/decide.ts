/** What the subscriptions of a customer mean for the plan of its organization. */
import type { Subscription, SubscriptionStatus } from '../../adapters/billing/types.ts';
import { PLANS, type Plan } from '../entitlements/index.ts';
import type { AccountState, BillingAccount, PaidPlan, Prices } from './types.ts';

/** Best first. */
const RANKS: readonly SubscriptionStatus[] = ['active', 'trialing', 'past_due', 'incomplete', 'unpaid', 'canceled'];
/** The plan is kept while the provider repeats a failed payment. */
const GRANTING: ReadonlySet<string> = new Set<SubscriptionStatus>(['active', 'trialing', 'past_due']);

export interface Decision {
  state: AccountState;
  /** The plan that the organization gets; null: it stays as it is. */
  plan: Plan | null;
  change: 'subscription_created' | 'plan_changed' | 'subscription_cancelled' | null;
  /** Prices of the subscription that no plan has. */
  unknown_prices: string[];
  /** Subscriptions that grant a plan; more than one is paid twice. */
  granting_count: number;
  /** Those of them that are to be canceled. */
  duplicates: string[];
}

/**
 * Depends only on the state at the provider and on what was stored before, so neither the order nor the number of events
 * matters.
 *
 * @param plan the current plan of the organization, which a platform admin can have set; then it stays
 */
export function decide(
  before: Pick<BillingAccount, 'org_id' | 'subscription_id' | 'granted_plan'>,
  plan: Plan,
  subscriptions: readonly Subscription[],
  prices: Prices,
): Decision {
  const chosen = chooseSubscription(subscriptions, prices);
  const granting_count = subscriptions.filter(({ status }) => GRANTING.has(status)).length;
  if (chosen === undefined) {
    const none = { subscription_id: null, status: 'none' as const, current_period_end: null };
    const state = { ...none, cancel_at_period_end: false, granted_plan: null };
    return { ...followGrant(before, plan, state), unknown_prices: [], granting_count, duplicates: [] };
  }
  const { id: subscription_id, status, current_period_end, cancel_at_period_end } = chosen;
  const sold = findPlan(chosen, prices);
  const granted_plan = GRANTING.has(status) ? (sold ?? before.granted_plan) : null;
  const state = { subscription_id, status, current_period_end, cancel_at_period_end, granted_plan };
  const unknown_prices = sold === null ? chosen.items.map(({ price_id }) => price_id) : [];
  const duplicates = findDuplicates(before.org_id, subscriptions, prices);
  return { ...followGrant(before, plan, state), unknown_prices, granting_count, duplicates };
}

/**
 * Subscriptions that checkouts of the organization created although another one already paid for the same plan. Those
 * that the operator created, or that are for another plan, can be intended. None while the one that is kept is about to end.
 *
 * @returns their ids
 */
export function findDuplicates(org_id: string, subscriptions: readonly Subscription[], prices: Prices): string[] {
  const granting = subscriptions.filter(({ status }) => GRANTING.has(status));
  const kept = chooseSubscription(granting, prices);
  const plan = kept && findPlan(kept, prices);
  if (kept === undefined || plan === null || kept.cancel_at_period_end) return [];
  return granting
    .filter((one) => one.id !== kept.id && one.org_id === org_id && findPlan(one, prices) === plan)
    .map(({ id }) => id);
}

/** The best subscription: by status, then by plan, then the oldest. */
export function chooseSubscription(subscriptions: readonly Subscription[], prices: Prices): Subscription | undefined {
  const size = (one: Subscription) => PLANS.indexOf(findPlan(one, prices) ?? 'free');
  return [...subscriptions].sort(
    (a, b) =>
      RANKS.indexOf(a.status) - RANKS.indexOf(b.status) ||
      size(b) - size(a) ||
      a.created_at.getTime() - b.created_at.getTime() ||
      (a.id < b.id ? -1 : 1),
  )[0];
}

function findPlan({ items }: Subscription, { team, enterprise }: Prices): PaidPlan | null {
  const bought = new Set(items.map(({ price_id }) => price_id));
  if (enterprise !== null && bought.has(enterprise)) return 'enterprise';
  return bought.has(team) ? 'team' : null;
}

function followGrant(
  before: Pick<AccountState, 'subscription_id' | 'granted_plan'>,
  plan: Plan,
  state: AccountState,
): Pick<Decision, 'state' | 'plan' | 'change'> {
  const [old, granted] = [before.granted_plan, state.granted_plan];
  const follows = plan === (old ?? 'free') && plan !== (granted ?? 'free');
  return { state, plan: follows ? (granted ?? 'free') : null, change: nameChange(before, state) };
}

function nameChange(
  before: Pick<AccountState, 'subscription_id' | 'granted_plan'>,
  state: AccountState,
): Decision['change'] {
  if (state.granted_plan === null) return before.granted_plan === null ? null : 'subscription_cancelled';
  if (before.granted_plan === null || before.subscription_id !== state.subscription_id) return 'subscription_created';
  return before.granted_plan === state.granted_plan ? null : 'plan_changed';
}
