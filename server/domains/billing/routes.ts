import type { IncomingHttpHeaders } from 'node:http';
import type { Handlers } from '../../contract/operation.ts';
import type { Billing } from './service.ts';

type BillingOperations =
  | 'getBilling'
  | 'previewPlanChange'
  | 'createCheckoutSession'
  | 'createPortalSession'
  | 'receiveStripeWebhook';

export function billingRoutes({ reads, sessions }: Billing): Pick<Handlers, BillingOperations> {
  return {
    async getBilling({ org }) {
      return { status: 200, body: await reads.get(org.id) };
    },

    async previewPlanChange({ org, query }) {
      return { status: 200, body: await reads.preview(org.id, query.plan) };
    },

    async createCheckoutSession({ org, body }) {
      const { url, expires_at } = await sessions.checkout(org.id, body.return_path);
      return { status: 200, body: { url, expires_at: expires_at.toISOString() } };
    },

    async createPortalSession({ org, body }) {
      return { status: 200, body: await sessions.portal(org.id, body?.return_path) };
    },

    async receiveStripeWebhook({ attachment }) {
      await (attachment as () => Promise<void>)();
      return { status: 200, body: { received: true } };
    },
  };
}

/** The signature is over the raw body; `attachment` of the request stores the event. */
export function billingBodyReaders({ receiver }: Pick<Billing, 'receiver'>) {
  return {
    receiveStripeWebhook: async ({ headers }: { headers: IncomingHttpHeaders }) => {
      const signature = headers['stripe-signature'];
      const accept = receiver.open(typeof signature === 'string' ? signature : undefined);
      return { end: async (raw: Buffer) => ({ body: {}, attachment: () => accept(raw) }) };
    },
  };
}
