import { ServiceError } from '../../lib/errors.ts';

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
  /** The organization that a checkout created it for; null for any other subscription. */
  org_id: string | null;
}

/** A verified event. It says whose subscriptions to read again; the state in its payload is never used. */
export interface ProviderEvent {
  id: string;
  type: string;
  /** null: the event belongs to no customer. */
  customer_id: string | null;
  /** The organization that a checkout or a subscription was created for; null if it does not say. */
  org_id: string | null;
  /** Whether it is about real money, in contrast to a test. */
  is_live: boolean;
}

/** A page on which a person can still pay. */
export interface Checkout {
  id: string;
  url: string;
  expires_at: Date;
  /** null if another program created it. */
  price_id: string | null;
  return_url: string | null;
}

/** The provider understood a request and rejected it: the same request is rejected again. */
export class RequestRejected extends ServiceError {
  override readonly name = 'RequestRejected';
  /** Status and error code of the provider. */
  readonly reason: string;

  constructor(message: string, reason: string, options: ErrorOptions) {
    super(502, 'billing_backend_error', message, {}, options);
    this.reason = reason;
  }
}

/**
 * All methods throw ServiceError 502 `billing_backend_error` if the provider does not respond, and RequestRejected if it
 * rejects a request.
 */
export interface BillingProvider {
  /** Whether the key of this deployment moves real money; null: that is not known. */
  is_live: boolean | null;
  /**
   * Called twice for one organization, it returns the same customer, also if the name has changed meanwhile.
   *
   * @param org.replaces the customer that was deleted at the provider; null for the first one
   * @returns its id
   */
  createCustomer(org: { org_id: string; name: string; replaces: string | null }): Promise<string>;
  /** @returns null if the customer was deleted or never existed; `org_id` is the organization that it was created for */
  findCustomer(customer_id: string): Promise<{ org_id: string | null } | null>;
  createCheckout(checkout: {
    org_id: string;
    customer_id: string;
    price_id: string;
    return_url: string;
  }): Promise<Checkout>;
  listOpenCheckouts(customer_id: string): Promise<Checkout[]>;
  /** Nobody can pay on the page any more. Does nothing if it was paid or has expired. */
  expireCheckout(checkout_id: string): Promise<void>;
  /** @returns null if the customer was deleted */
  createPortal(portal: { customer_id: string; return_url: string }): Promise<{ url: string } | null>;
  /** Every subscription of a customer, also ended ones; empty for a customer that was deleted. */
  listSubscriptions(customer_id: string): Promise<Subscription[]>;
  /** Ends a subscription now; the unused time becomes a credit of the customer. Does nothing if it has ended. */
  cancelSubscription(subscription_id: string): Promise<void>;
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
