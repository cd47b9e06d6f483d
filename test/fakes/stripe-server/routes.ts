/** The requests that the fake of Stripe answers. */
import { assertContract, makeObject, type StripeObject } from './contract.ts';
import { type FakeSession, type StripeState, toSession } from './state.ts';

export type Form = Record<string, string>;
export type Reply = [status: number, body: StripeObject];

const DAY_S = 86_400;

/** @returns what answers a request; it throws if Stripe would not send that */
export function createStripeRoutes(state: StripeState, settings: { page_size: number }) {
  const { customers, subscriptions, sessions, now, newNumber, isOpen, addCustomer, change, getSubscription } = state;

  function route(method: string, url: URL, form: Form): [name: string, reply: Reply] {
    const [, , resource = '', id = ''] = url.pathname.split('/');
    const route = `${method} ${url.pathname}`;
    if (resource === 'customers') return answerCustomer(method, id, form);
    if (route === 'GET /v1/checkout/sessions') return ['list', listSessions(url)];
    if (url.pathname.startsWith('/v1/checkout/sessions')) return ['checkout.session', answerSession(url, form)];
    if (route === 'POST /v1/billing_portal/sessions') return ['billing_portal.session', openPortal(form)];
    if (route === 'GET /v1/subscriptions') return ['list', listSubscriptions(url)];
    if (resource === 'subscriptions' && method === 'DELETE') return ['subscription', cancel(id)];
    if (resource === 'subscription_items') return changeItem(method, id, form);
    return ['', [404, { error: { type: 'invalid_request_error', message: `no route ${route}` } }]];
  }

  function answerCustomer(method: string, id: string, form: Form): [name: string, reply: Reply] {
    if (method === 'POST' && id === '') {
      const created = addCustomer(`cus_${newNumber()}`, readMetadata(form));
      return ['customer', [200, customers.get(created) ?? {}]];
    }
    const customer = customers.get(id);
    if (customer === undefined) return ['customer', missing(404, 'customer')];
    if (customer.deleted) return ['deleted_customer', [200, { id, object: 'customer', deleted: true }]];
    if (method === 'POST') customer.name = form['name'] ?? customer.name;
    return ['customer', [200, customer]];
  }

  function answerSession(url: URL, form: Form): Reply {
    const [, , , , id = '', verb = ''] = url.pathname.split('/');
    if (id === '') return openSession(form);
    const session = sessions.get(id);
    if (session === undefined) return missing(404, 'session');
    if (verb === 'expire') {
      if (!isOpen(session)) return [400, { error: { type: 'invalid_request_error', message: 'it is not open' } }];
      Object.assign(session, { status: 'expired', url: null });
    }
    return [200, toSession(session)];
  }

  function openSession(form: Form): Reply {
    if (!isCustomer(form['customer'])) return missing(400, 'customer');
    const id = `cs_test_${newNumber()}`;
    const session: FakeSession = makeObject('checkout.session', {
      id,
      mode: 'subscription',
      status: 'open',
      customer: form['customer'] ?? '',
      client_reference_id: form['client_reference_id'] ?? '',
      metadata: readMetadata(form),
      success_url: form['success_url'] ?? null,
      cancel_url: form['cancel_url'] ?? null,
      created: Math.floor(now().getTime() / 1_000),
      expires_at: Math.floor(now().getTime() / 1_000) + DAY_S,
      url: `https://checkout.example.com/${id}`,
      price: form['line_items[0][price]'] ?? '',
    });
    sessions.set(id, session);
    return [200, toSession(session)];
  }

  function openPortal(form: Form): Reply {
    const customer = form['customer'] ?? '';
    if (!isCustomer(customer)) return missing(400, 'customer');
    const url = 'https://portal.example.com/1';
    return [200, makeObject('billing_portal.session', { id: `bps_${newNumber()}`, customer, url })];
  }

  function listSessions(url: URL): Reply {
    const customer = url.searchParams.get('customer') ?? '';
    if (!isCustomer(customer)) return missing(400, 'customer');
    const open = [...sessions.values()].filter((one) => one.customer === customer && isOpen(one));
    return listPage(url, open.reverse().map(toSession), 'checkout.session');
  }

  function listSubscriptions(url: URL): Reply {
    const customer = url.searchParams.get('customer') ?? '';
    if (!isCustomer(customer)) return missing(400, 'customer');
    const all = [...subscriptions.values()].filter((one) => one.customer === customer).reverse();
    return listPage(url, all, 'subscription');
  }

  function listPage(url: URL, all: StripeObject[], name: string): Reply {
    for (const one of all) assertContract(name, one);
    const from = all.findIndex((one) => one['id'] === url.searchParams.get('starting_after')) + 1;
    const size = Math.min(settings.page_size, Number(url.searchParams.get('limit') ?? '10'));
    const has_more = from + size < all.length;
    return [200, { object: 'list', url: url.pathname, data: all.slice(from, from + size), has_more }];
  }

  function isCustomer(id: string | undefined): boolean {
    const customer = customers.get(id ?? '');
    return customer !== undefined && customer.deleted !== true;
  }

  function cancel(id: string): Reply {
    const subscription = subscriptions.get(id);
    if (subscription === undefined || subscription.status === 'canceled') return missing(404, 'subscription');
    change(id, { status: 'canceled' });
    return [200, subscription];
  }

  function changeItem(method: string, id: string, form: Form): [name: string, reply: Reply] {
    const quantity = Number(form['quantity']);
    if (id === '') {
      const subscription = getSubscription(form['subscription'] ?? '');
      const item = state.makeItem(subscription.id, form['price'] ?? '', quantity);
      subscription.items.data.push(item);
      return ['subscription_item', [200, item]];
    }
    for (const { items } of subscriptions.values()) {
      const item = items.data.find((one) => one.id === id);
      if (item === undefined) continue;
      if (method === 'DELETE') {
        items.data.splice(items.data.indexOf(item), 1);
        return ['deleted_subscription_item', [200, { id, object: 'subscription_item', deleted: true }]];
      }
      item.quantity = quantity;
      return ['subscription_item', [200, item]];
    }
    return ['subscription_item', missing(404, 'item')];
  }

  return (method: string, url: URL, form: Form): Reply => {
    const [name, reply] = route(method, url, form);
    if (reply[0] === 200) assertContract(name, reply[1]);
    return reply;
  };
}

function missing(status: 400 | 404, param: string): Reply {
  return [
    status,
    { error: { type: 'invalid_request_error', code: 'resource_missing', param, message: `No such ${param}` } },
  ];
}

function readMetadata(form: Form): Record<string, string> {
  const pairs = Object.entries(form).flatMap(([name, value]) => {
    const [, key] = /^metadata\[([a-z_]+)\]$/.exec(name) ?? [];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(pairs);
}
