/**
 * A small Stripe: customers, checkout and portal sessions, subscriptions and their items, with paging, idempotency keys,
 * errors and signed events. It delivers nothing by itself; a test sends the events that it collects, in any order.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const WEBHOOK_SECRET = 'whsec_test';
export const PRICES = { team: 'price_team', enterprise: 'price_enterprise', seat: 'price_seat' };

interface Item {
  id: string;
  price: { id: string };
  quantity: number;
  current_period_end: number;
}

export interface FakeSubscription {
  id: string;
  object: 'subscription';
  customer: string;
  status: string;
  created: number;
  cancel_at_period_end: boolean;
  metadata: Record<string, string>;
  items: { object: 'list'; data: Item[]; has_more: false };
}

export interface FakeEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: Record<string, unknown> };
}

type Form = Record<string, string>;
type Reply = [status: number, body: unknown];

const PERIOD_S = 30 * 86_400;
const START_S = 1_770_000_000;

export async function startStripeServer() {
  let number = 0;
  const newNumber = () => String(++number).padStart(6, '0');
  const customers = new Map<string, Form>();
  const subscriptions = new Map<string, FakeSubscription>();
  const sessions = new Map<string, Form & { id: string }>();
  const kept = new Map<string, { body: string; reply: Reply }>();
  const events: FakeEvent[] = [];
  const requests: { method: string; path: string; form: Form; key: string | undefined; version: unknown }[] = [];
  const settings = { fail_next: 0, page_size: 100, beforeReply: async (_path: string): Promise<void> => {} };

  function emit(type: string, object: Record<string, unknown>): FakeEvent {
    // Like Stripe's, the payload is a copy from the time of the event.
    const data = { object: structuredClone(object) };
    const event = { id: `evt_${newNumber()}`, object: 'event' as const, type, created: START_S + number, data };
    events.push(event);
    return event;
  }

  function subscribe(customer: string, price: string = PRICES.team, metadata: Record<string, string> = {}) {
    const id = `sub_${newNumber()}`;
    const subscription: FakeSubscription = {
      id,
      object: 'subscription',
      customer,
      status: 'active',
      created: START_S + number,
      cancel_at_period_end: false,
      metadata,
      items: { object: 'list', data: [makeItem(price, 1)], has_more: false },
    };
    subscriptions.set(id, subscription);
    emit('customer.subscription.created', { ...subscription });
    return subscription;
  }

  function makeItem(price: string, quantity: number): Item {
    return { id: `si_${newNumber()}`, price: { id: price }, quantity, current_period_end: START_S + PERIOD_S };
  }

  /** A person pays on the page of a checkout. */
  function completeCheckout(session_id: string): FakeSubscription {
    const session = sessions.get(session_id);
    if (session === undefined) throw new Error(`no session ${session_id}`);
    const org_id = session['client_reference_id'] ?? '';
    const price = session['line_items[0][price]'] ?? PRICES.team;
    const subscription = subscribe(session['customer'] ?? '', price, { org_id });
    const { customer } = subscription;
    emit('checkout.session.completed', {
      ...{ id: session_id, object: 'checkout.session', mode: 'subscription', customer },
      ...{ client_reference_id: org_id, metadata: { org_id }, subscription: subscription.id },
    });
    return subscription;
  }

  function change(id: string, changes: Partial<Pick<FakeSubscription, 'status' | 'cancel_at_period_end'>>): FakeEvent {
    const subscription = getSubscription(id);
    Object.assign(subscription, changes);
    const type = subscription.status === 'canceled' ? 'deleted' : 'updated';
    return emit(`customer.subscription.${type}`, { ...subscription });
  }

  function changePrice(id: string, price: string): FakeEvent {
    const [item] = getSubscription(id).items.data;
    if (item !== undefined) item.price = { id: price };
    return emit('customer.subscription.updated', { ...getSubscription(id) });
  }

  function failPayment(id: string): FakeEvent {
    change(id, { status: 'past_due' });
    const { customer } = getSubscription(id);
    return emit('invoice.payment_failed', { id: `in_${newNumber()}`, object: 'invoice', customer });
  }

  function getSubscription(id: string): FakeSubscription {
    const found = subscriptions.get(id);
    if (found === undefined) throw new Error(`no subscription ${id}`);
    return found;
  }

  function route(method: string, url: URL, form: Form): Reply {
    const [, , resource = '', id = ''] = url.pathname.split('/');
    const route = `${method} ${url.pathname}`;
    if (route === 'POST /v1/customers') {
      const customer = `cus_${newNumber()}`;
      customers.set(customer, form);
      return [200, { id: customer, object: 'customer' }];
    }
    if (route === 'POST /v1/checkout/sessions') {
      const session = `cs_${newNumber()}`;
      sessions.set(session, { ...form, id: session });
      return [200, { id: session, url: `https://checkout.example.com/${session}`, expires_at: START_S + 86_400 }];
    }
    if (route === 'POST /v1/billing_portal/sessions') return [200, { url: 'https://portal.example.com/1' }];
    if (route === 'GET /v1/subscriptions') return listSubscriptions(url);
    if (resource === 'subscription_items') return changeItem(method, id, form);
    return [404, { error: { type: 'invalid_request_error', message: `no route ${route}` } }];
  }

  function listSubscriptions(url: URL): Reply {
    const customer = url.searchParams.get('customer') ?? '';
    if (!customers.has(customer)) {
      return [404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such customer' } }];
    }
    const all = [...subscriptions.values()].filter((one) => one.customer === customer).reverse();
    const from = all.findIndex(({ id }) => id === url.searchParams.get('starting_after')) + 1;
    const size = Math.min(settings.page_size, Number(url.searchParams.get('limit') ?? '10'));
    const data = all.slice(from, from + size);
    return [200, { object: 'list', url: '/v1/subscriptions', data, has_more: from + size < all.length }];
  }

  function changeItem(method: string, id: string, form: Form): Reply {
    const quantity = Number(form['quantity']);
    if (id === '') {
      const item = makeItem(form['price'] ?? '', quantity);
      getSubscription(form['subscription'] ?? '').items.data.push(item);
      return [200, item];
    }
    for (const { items } of subscriptions.values()) {
      const item = items.data.find((one) => one.id === id);
      if (item === undefined) continue;
      if (method === 'DELETE') items.data.splice(items.data.indexOf(item), 1);
      else item.quantity = quantity;
      return [200, item];
    }
    return [404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such item' } }];
  }

  async function answer(req: IncomingMessage): Promise<Reply> {
    let body = '';
    for await (const chunk of req) body += chunk;
    const url = new URL(req.url ?? '/', 'http://stripe');
    const form = Object.fromEntries(new URLSearchParams(body));
    const key = req.headers['idempotency-key'] as string | undefined;
    const method = req.method ?? '';
    requests.push({ method, path: url.pathname, form, key, version: req.headers['stripe-version'] });
    if (settings.fail_next > 0) {
      settings.fail_next -= 1;
      return [500, { error: { type: 'api_error', message: 'broken' } }];
    }
    const before = key === undefined ? undefined : kept.get(key);
    if (before !== undefined && before.body !== body) {
      return [400, { error: { type: 'idempotency_error', message: 'the key was used with other parameters' } }];
    }
    const reply = before?.reply ?? route(method, url, form);
    if (key !== undefined) kept.set(key, { body, reply });
    // What was read can be outdated when it arrives.
    const text = structuredClone(reply);
    await settings.beforeReply(url.pathname);
    return text;
  }

  const server = createServer((req, res) => {
    void answer(req).then(([status, body]) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    customers,
    subscriptions,
    sessions,
    events,
    requests,
    settings,
    subscribe,
    completeCheckout,
    change,
    changePrice,
    failPayment,
    addCustomer(id: string) {
      customers.set(id, {});
      return id;
    },
    /** The environment of a service that uses this server. */
    env: {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: url,
      STRIPE_PRICE_TEAM: PRICES.team,
      STRIPE_PRICE_ENTERPRISE: PRICES.enterprise,
      STRIPE_PRICE_SEAT: PRICES.seat,
      APP_URL: 'https://app.example.com',
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>;

/** The header of a delivery, as Stripe signs it. */
export function signEvent(body: string, at: Date = new Date(), secret: string = WEBHOOK_SECRET): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
