import type { SubscriptionStatus } from '../../adapters/billing/types.ts';
import type { Plan } from '../entitlements/index.ts';

export type PaidPlan = Exclude<Plan, 'free'>;

/** Prices at the provider. */
export interface Prices {
  team: string;
  /** null: sold by contract only. */
  enterprise: string | null;
  /** One seat above those of the plan; null: none are sold. */
  seat: string | null;
}

/** The subscription of an organization, as stored. */
export interface BillingAccount {
  org_id: string;
  customer_id: string | null;
  subscription_id: string | null;
  status: 'none' | SubscriptionStatus;
  granted_plan: PaidPlan | null;
  current_period_end: Date | null;
  cancel_at_period_end: boolean;
  version: number;
  /** The page on which the subscription is being bought; it can have expired. */
  checkout_session_id: string | null;
  updated_at: Date;
}

export type AccountState = Pick<
  BillingAccount,
  'subscription_id' | 'status' | 'granted_plan' | 'current_period_end' | 'cancel_at_period_end'
>;

/** An event that waits to be applied. */
export interface StoredEvent {
  id: string;
  org_id: string;
  stripe_event_id: string;
  type: string;
  customer_id: string;
  /** How often it was queued again. */
  requeues: number;
}

/** Why an event is kept without being applied. */
export type ParkedReason =
  | 'customer_deleted'
  | 'customer_of_another_organization'
  | 'organization_has_another_customer';

/** What an operator should look at. */
export type Finding =
  | ParkedReason
  | 'unknown_organization'
  | 'other_mode'
  | 'event_failed'
  | 'unknown_price'
  | 'duplicate_subscription'
  | 'provider_failed';

/** A subscription that was bought while another one paid for the same plan. */
export interface Duplicate {
  subscription_id: string;
  org_id: string;
  customer_id: string;
}
