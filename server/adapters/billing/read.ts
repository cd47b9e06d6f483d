import type { Stripe } from 'stripe';
import type { Checkout, ProviderEvent, Subscription, SubscriptionStatus } from './types.ts';

const STATUSES: Record<Stripe.Subscription.Status, SubscriptionStatus> = {
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  canceled: 'canceled',
  incomplete: 'incomplete',
  incomplete_expired: 'canceled',
  // A trial that ended without a payment method.
  paused: 'unpaid',
  unpaid: 'unpaid',
};

/** The period ends with the last of its items. @see Stripe API, version 2025-03-31: current_period_end is on the items */
export function toSubscription(found: Stripe.Subscription): Subscription {
  const ends = found.items.data.map(({ current_period_end }) => current_period_end);
  return {
    id: found.id,
    // A status that a later version adds grants nothing.
    status: STATUSES[found.status] ?? 'incomplete',
    items: found.items.data.map(({ id, price, quantity }) => ({ id, price_id: price.id, quantity: quantity ?? 0 })),
    created_at: toDate(found.created),
    current_period_end: ends.length === 0 ? null : toDate(Math.max(...ends)),
    cancel_at_period_end: found.cancel_at_period_end,
    org_id: found.metadata['org_id'] ?? null,
  };
}

/** @returns null for a session without a page */
export function toCheckout({ id, url, expires_at, metadata, success_url }: Stripe.Checkout.Session): Checkout | null {
  if (url === null) return null;
  return { id, url, expires_at: toDate(expires_at), price_id: metadata?.['price_id'] ?? null, return_url: success_url };
}

/** @throws TypeError if the signed body has not the form of an event */
export function toProviderEvent({ id, type, data, livemode }: Stripe.Event): ProviderEvent {
  if (typeof id !== 'string' || typeof type !== 'string') throw new TypeError('an event has an id and a type');
  const object = data.object as {
    customer?: string | { id: string } | null;
    client_reference_id?: string | null;
    metadata?: Record<string, string> | null;
  };
  const { customer = null } = object;
  return {
    id,
    type,
    customer_id: typeof customer === 'object' ? (customer?.id ?? null) : customer,
    is_live: livemode === true,
    org_id: object.client_reference_id ?? object.metadata?.['org_id'] ?? null,
  };
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1_000);
}
