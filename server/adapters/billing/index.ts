/** Payments by Stripe. The package is loaded with the first request, because loading it takes half a second. */
import type { Stripe } from 'stripe';
import { InvalidInput, ServiceError } from '../../lib/errors.ts';
import { lazy } from '../../lib/lazy.ts';
import { toCheckout, toProviderEvent, toSubscription } from './read.ts';
import { type BillingProvider, RequestRejected } from './types.ts';

const API_VERSION = '2026-10-28.endive';
const TIMEOUT_MS = 20_000;
const RETRIES = 2;
const TOLERANCE_S = 300;
const PAGE_SIZE = 100;
/** Secret and restricted keys, also those of organizations at Stripe. */
const KEY_MODE = /^[rs]k_(?:org_)?(live|test)_/;
/** Statuses that another attempt can change: a timeout, a lock, a limit. */
const PASSING = new Set([408, 409, 425, 429]);
const ERROR_CODE = /^[a-z0-9_]{1,64}$/;

export interface StripeOptions {
  secret_key: string;
  webhook_secret: string;
  /** Base URL of the API. */
  api_url: string;
}

export function createStripeBilling({ secret_key, webhook_secret, api_url }: StripeOptions): BillingProvider {
  const { protocol, hostname, port } = new URL(api_url);
  const open = lazy(async () => {
    const { default: Client } = await import('stripe');
    return new Client(secret_key, {
      apiVersion: API_VERSION,
      host: hostname,
      protocol: protocol === 'http:' ? 'http' : 'https',
      ...(port === '' ? {} : { port }),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      telemetry: false,
    });
  });

  async function ask<T>(work: (client: Stripe) => Promise<T>): Promise<T> {
    const client = await open();
    try {
      return await work(client);
    } catch (error) {
      const message = 'the payment provider did not accept a request or did not respond; try again later';
      const reason = findRejection(error);
      if (reason !== null) throw new RequestRejected(message, reason, { cause: error });
      throw new ServiceError(502, 'billing_backend_error', message, {}, { cause: error });
    }
  }

  async function orIfMissing<T>(missing: T, work: (client: Stripe) => Promise<T>): Promise<T> {
    return ask(work).catch((error) => {
      if (isMissing(error)) return missing;
      throw error;
    });
  }

  return {
    is_live: readMode(secret_key),
    createCustomer: ({ org_id, name, replaces }) =>
      ask(async ({ customers }) => {
        // A key with other parameters is rejected, so the name, which can change, is not one of them.
        const once = { idempotencyKey: `customer-${org_id}${replaces === null ? '' : `-after-${replaces}`}` };
        const { id } = await customers.create({ metadata: { org_id } }, once);
        await customers.update(id, { name });
        return id;
      }),

    findCustomer: (customer_id) =>
      orIfMissing(null, async ({ customers }) => {
        const found = await customers.retrieve(customer_id);
        return found.deleted === true ? null : { org_id: found.metadata['org_id'] ?? null };
      }),

    createCheckout: ({ org_id, customer_id, price_id, return_url }) =>
      ask(async ({ checkout }) => {
        const session = await checkout.sessions.create({
          mode: 'subscription',
          customer: customer_id,
          client_reference_id: org_id,
          metadata: { org_id, price_id },
          subscription_data: { metadata: { org_id } },
          line_items: [{ price: price_id, quantity: 1 }],
          success_url: return_url,
          cancel_url: return_url,
        });
        const created = toCheckout(session);
        if (created === null) throw new TypeError('the checkout has no page');
        return created;
      }),

    listOpenCheckouts: (customer_id) =>
      ask(async ({ checkout }) => {
        const found = [];
        const pages = checkout.sessions.list({ customer: customer_id, status: 'open', limit: PAGE_SIZE });
        for await (const session of pages) found.push(toCheckout(session));
        return found.filter((one) => one !== null);
      }),

    expireCheckout: (checkout_id) =>
      ask(async ({ checkout }) => {
        await checkout.sessions.expire(checkout_id).catch(async (error) => {
          const { status } = await checkout.sessions.retrieve(checkout_id);
          if (status === 'open') throw error;
        });
      }),

    createPortal: ({ customer_id, return_url }) =>
      orIfMissing(null, async ({ billingPortal }) => {
        const { url } = await billingPortal.sessions.create({ customer: customer_id, return_url });
        return { url };
      }),

    listSubscriptions: (customer_id) =>
      orIfMissing([], async ({ subscriptions }) => {
        const found = [];
        const pages = subscriptions.list({ customer: customer_id, status: 'all', limit: PAGE_SIZE });
        for await (const subscription of pages) found.push(toSubscription(subscription));
        return found;
      }),

    cancelSubscription: (subscription_id) =>
      orIfMissing(undefined, async ({ subscriptions }) => {
        await subscriptions.cancel(subscription_id, { prorate: true, invoice_now: true });
      }),

    setSeats: ({ subscription_id, item, price_id, quantity, idempotency_key }) =>
      ask(async ({ subscriptionItems }) => {
        const once = { idempotencyKey: idempotency_key };
        if (item === undefined) {
          await subscriptionItems.create({ subscription: subscription_id, price: price_id, quantity }, once);
        } else if (quantity === 0) await subscriptionItems.del(item.id, {}, once);
        else await subscriptionItems.update(item.id, { quantity }, once);
      }),

    async readEvent(raw, signature, now) {
      const { webhooks, errors } = await openForEvents();
      try {
        const received_ms = now.getTime();
        const args = [raw, signature, webhook_secret, TOLERANCE_S, undefined, received_ms] as const;
        return toProviderEvent(webhooks.constructEvent(...args));
      } catch (error) {
        if (!(error instanceof errors.StripeSignatureVerificationError)) throw new InvalidInput('the body is no event');
        const message = 'the delivery is not signed with the secret of this endpoint, or its timestamp is too old';
        throw new ServiceError(401, 'signature_invalid', message, {}, { cause: error });
      }
    },
  };

  async function openForEvents() {
    const [{ webhooks }, { default: Client }] = await Promise.all([open(), import('stripe')]);
    return { webhooks, errors: Client.errors };
  }
}

/** Of an object that a path names, the status is 404; of one that a parameter names, 400. */
function isMissing(error: unknown): boolean {
  return (error as { cause?: { code?: string } }).cause?.code === 'resource_missing';
}

/** null: the key does not say. */
function readMode(secret_key: string): boolean | null {
  const mode = KEY_MODE.exec(secret_key)?.[1];
  return mode === undefined ? null : mode === 'live';
}

/** Why the provider rejected a request, as status and code; null if it did not, or may accept it later. */
function findRejection(error: unknown): string | null {
  const { statusCode: status, code } = error as { statusCode?: unknown; code?: unknown };
  if (typeof status !== 'number' || status < 400 || status >= 500 || PASSING.has(status)) return null;
  return typeof code === 'string' && ERROR_CODE.test(code) ? `${status} ${code}` : String(status);
}
