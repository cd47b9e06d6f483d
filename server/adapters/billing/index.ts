/** Payments by Stripe. The package is loaded with the first request, because loading it takes half a second. */
import type { Stripe } from 'stripe';
import { InvalidInput, ServiceError } from '../../lib/errors.ts';
import { lazy } from '../../lib/lazy.ts';
import { toProviderEvent, toSubscription } from './read.ts';
import type { BillingProvider } from './types.ts';

const API_VERSION = '2026-10-28.endive';
const TIMEOUT_MS = 20_000;
const RETRIES = 2;
const TOLERANCE_S = 300;
const PAGE_SIZE = 100;

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
      throw new ServiceError(502, 'billing_backend_error', message, {}, { cause: error });
    }
  }

  return {
    createCustomer: ({ org_id, name }) =>
      ask(async ({ customers }) => {
        const once = { idempotencyKey: `customer-${org_id}` };
        return (await customers.create({ name, metadata: { org_id } }, once)).id;
      }),

    createCheckout: ({ org_id, customer_id, price_id, return_url }) =>
      ask(async ({ checkout }) => {
        const { url, expires_at } = await checkout.sessions.create({
          mode: 'subscription',
          customer: customer_id,
          client_reference_id: org_id,
          metadata: { org_id },
          subscription_data: { metadata: { org_id } },
          line_items: [{ price: price_id, quantity: 1 }],
          success_url: return_url,
          cancel_url: return_url,
        });
        return { url: url ?? return_url, expires_at: new Date(expires_at * 1_000) };
      }),

    createPortal: ({ customer_id, return_url }) =>
      ask(async ({ billingPortal }) => {
        const { url } = await billingPortal.sessions.create({ customer: customer_id, return_url });
        return { url };
      }),

    listSubscriptions: (customer_id) =>
      ask(async ({ subscriptions }) => {
        const found = [];
        const pages = subscriptions.list({ customer: customer_id, status: 'all', limit: PAGE_SIZE });
        for await (const subscription of pages) found.push(toSubscription(subscription));
        return found;
      }).catch((error) => {
        if (isMissing(error)) return [];
        throw error;
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

function isMissing(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string; statusCode?: number } };
  return cause?.code === 'resource_missing' && cause.statusCode === 404;
}
