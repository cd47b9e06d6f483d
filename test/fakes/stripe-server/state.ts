/** The objects that the fake of Stripe holds, and what people and the operator do with them. */
import { assertContract, makeObject, type StripeObject } from './contract.ts';

export const PRICES = { team: 'price_team', enterprise: 'price_enterprise', seat: 'price_seat' };

export interface Item extends StripeObject {
  id: string;
  price: StripeObject & { id: string };
  quantity: number;
}

export interface FakeSubscription extends StripeObject {
  id: string;
  customer: string;
  status: string;
  cancel_at_period_end: boolean;
  metadata: Record<string, string>;
  items: { object: 'list'; data: Item[]; has_more: false; url: string };
}

export interface FakeCustomer extends StripeObject {
  id: string;
  name: string | null;
  metadata: Record<string, string>;
  deleted?: true;
}

export interface FakeSession extends StripeObject {
  id: string;
  customer: string;
  status: string;
  client_reference_id: string;
  metadata: Record<string, string>;
  /** Not part of what Stripe sends. */
  price: string;
}

export interface FakeEvent extends StripeObject {
  id: string;
  type: string;
  created: number;
  data: { object: StripeObject };
}

type Changes = Partial<Pick<FakeSubscription, 'status' | 'cancel_at_period_end'>>;

const API_VERSION = '2026-10-28.endive';
const PERIOD_S = 30 * 86_400;
const START_S = 1_770_000_000;

export type StripeState = ReturnType<typeof createStripeState>;

/** @param now decides when checkout pages expire */
export function createStripeState(now: () => Date) {
  let number = 0;
  const newNumber = () => String(++number).padStart(6, '0');
  const customers = new Map<string, FakeCustomer>();
  const subscriptions = new Map<string, FakeSubscription>();
  const sessions = new Map<string, FakeSession>();
  const events: FakeEvent[] = [];

  function emit(type: string, object: StripeObject): FakeEvent {
    // Like Stripe's, the payload is a copy from the time of the event.
    const data = { object: structuredClone(object) };
    const fields = { id: `evt_${newNumber()}`, type, api_version: API_VERSION, created: START_S + number, data };
    const event = makeObject('event', fields);
    assertContract('event', event);
    assertContract(String(object['object']), data.object);
    events.push(event);
    return event;
  }

  function subscribe(customer: string, price: string = PRICES.team, metadata: Record<string, string> = {}) {
    const id = `sub_${newNumber()}`;
    const subscription: FakeSubscription = makeObject('subscription', {
      id,
      customer,
      status: 'active',
      currency: 'usd',
      created: START_S + number,
      start_date: START_S + number,
      cancel_at_period_end: false,
      metadata,
      items: makeList(`/v1/subscription_items?subscription=${id}`, [makeItem(id, price, 1)]),
    });
    subscriptions.set(id, subscription);
    emit('customer.subscription.created', subscription);
    return subscription;
  }

  function makeItem(subscription: string, price_id: string, quantity: number): Item {
    const price = makeObject('price', { id: price_id, currency: 'usd', type: 'recurring' });
    const period = { current_period_start: START_S, current_period_end: START_S + PERIOD_S };
    return makeObject('subscription_item', { id: `si_${newNumber()}`, subscription, price, quantity, ...period });
  }

  /** A person pays on the page of a checkout. @throws Error if the page shows that it has expired */
  function completeCheckout(session_id: string): FakeSubscription {
    const session = sessions.get(session_id);
    if (session === undefined || !isOpen(session)) throw new Error(`the session ${session_id} is not open`);
    const { customer, price, client_reference_id, metadata } = session;
    const subscription = subscribe(customer, price, { org_id: client_reference_id });
    Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: subscription.id, url: null });
    emit('checkout.session.completed', { ...toSession(session), metadata });
    return subscription;
  }

  function change(id: string, changes: Changes): FakeEvent {
    const subscription = getSubscription(id);
    Object.assign(subscription, changes);
    const type = subscription.status === 'canceled' ? 'deleted' : 'updated';
    return emit(`customer.subscription.${type}`, subscription);
  }

  function changePrice(id: string, price: string): FakeEvent {
    const [item] = getSubscription(id).items.data;
    if (item !== undefined) item.price = makeItem(id, price, 1).price;
    return emit('customer.subscription.updated', getSubscription(id));
  }

  function failPayment(id: string): FakeEvent {
    change(id, { status: 'past_due' });
    const { customer } = getSubscription(id);
    return emit(
      'invoice.payment_failed',
      makeObject('invoice', { id: `in_${newNumber()}`, customer, currency: 'usd' }),
    );
  }

  function getSubscription(id: string): FakeSubscription {
    const found = subscriptions.get(id);
    if (found === undefined) throw new Error(`no subscription ${id}`);
    return found;
  }

  function addCustomer(id: string, metadata: Record<string, string> = {}): string {
    customers.set(id, makeObject('customer', { id, name: null, metadata }));
    return id;
  }

  /** The operator deletes a customer in the dashboard, which ends its subscriptions. */
  function deleteCustomer(id: string): void {
    const customer = customers.get(id);
    if (customer !== undefined) customer.deleted = true;
    for (const one of subscriptions.values()) {
      if (one.customer === id && one.status !== 'canceled') change(one.id, { status: 'canceled' });
    }
  }

  function isOpen({ status, expires_at }: FakeSession): boolean {
    return status === 'open' && Number(expires_at) * 1_000 > now().getTime();
  }

  return {
    customers,
    subscriptions,
    sessions,
    events,
    now,
    newNumber,
    subscribe,
    makeItem,
    completeCheckout,
    change,
    changePrice,
    failPayment,
    getSubscription,
    addCustomer,
    deleteCustomer,
    isOpen,
  };
}

/** As Stripe sends it. */
export function toSession({ price: _price, ...session }: FakeSession): StripeObject {
  return session;
}

function makeList<T>(url: string, data: T[]) {
  return { object: 'list' as const, data, has_more: false as const, url };
}
