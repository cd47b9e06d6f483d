/** As the payment provider reports it, reduced to what decides a plan. */
export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'canceled' | 'unpaid' | 'incomplete';

export interface SubscriptionItem {
  id: string;
  price_id: string;
  quantity: number;
}

export interface Subscription {
  id: string;
  status: SubscriptionStatus;
  items: SubscriptionItem[];
  created_at: Date;
  current_period_end: Date | null;
  cancel_at_period_end: boolean;
}

/** A verified event. It says whose subscriptions to read again; the state in its payload is never used. */
export interface ProviderEvent {
  id: string;
  type: string;
  /** null: the event belongs to no customer. */
  customer_id: string | null;
  /** The organization that a checkout or a subscription was created for; null if it does not say. */
  org_id: string | null;
}

/** All methods throw ServiceError 502 `billing_backend_error` if the provider rejects a request or does not respond. */
export interface BillingProvider {
  /** Called twice for one organization, it returns the same customer. @returns its id */
  createCustomer(org: { org_id: string; name: string }): Promise<string>;
  createCheckout(checkout: {
    org_id: string;
    customer_id: string;
    price_id: string;
    return_url: string;
  }): Promise<{ url: string; expires_at: Date }>;
  createPortal(portal: { customer_id: string; return_url: string }): Promise<{ url: string }>;
  /** Every subscription of a customer, also ended ones; empty for a customer that was deleted. */
  listSubscriptions(customer_id: string): Promise<Subscription[]>;
  /** @param seats.item the item of the seats; undefined if the subscription has none. A quantity of 0 removes it. */
  setSeats(seats: {
    subscription_id: string;
    item: SubscriptionItem | undefined;
    price_id: string;
    quantity: number;
    idempotency_key: string;
  }): Promise<void>;
  /**
   * Verifies and reads an event.
   *
   * @throws ServiceError 401 `signature_invalid`; InvalidInput if a signed body is not an event
   */
  readEvent(raw: Buffer, signature: string, now: Date): Promise<ProviderEvent>;
}
