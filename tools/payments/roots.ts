import type { Stripe } from 'stripe';

/** The objects of Stripe's API that dpa reads; names are values of their field `object`, or say what they are. */
export interface Roots {
  customer: Stripe.Customer;
  deleted_customer: Stripe.DeletedCustomer;
  'checkout.session': Stripe.Checkout.Session;
  'billing_portal.session': Stripe.BillingPortal.Session;
  subscription: Stripe.Subscription;
  subscription_item: Stripe.SubscriptionItem;
  deleted_subscription_item: Stripe.DeletedSubscriptionItem;
  price: Stripe.Price;
  invoice: Stripe.Invoice;
  event: ReceivedEvent;
  list: Stripe.ApiList<unknown>;
}

/** The object of an event is checked on its own. */
interface ReceivedEvent extends Omit<Stripe.CustomerSubscriptionUpdatedEvent, 'data' | 'type'> {
  type: Stripe.Event['type'];
  data: { object: { [name: string]: unknown }; previous_attributes?: { [name: string]: unknown } };
}
