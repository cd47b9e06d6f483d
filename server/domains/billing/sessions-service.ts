import { NotFound } from '../../lib/errors.ts';
import { type CheckoutDeps, createCheckouts } from './checkout-service.ts';
import { billingNotConfigured } from './not-configured.ts';
import { buildReturnUrl } from './return-url.ts';
import * as store from './store.ts';

export type SessionsDeps = CheckoutDeps;

/** Pages of the provider on which people pay and manage their subscription. */
export function createSessions(deps: SessionsDeps) {
  const { platform_db, orgs, provider, app_url } = deps;
  const { checkout } = createCheckouts(deps);

  /**
   * A page on which a person changes the payment method, reads invoices, and cancels.
   *
   * @throws NotFound without a customer; ServiceError 503 `billing_not_configured`, 502 `billing_backend_error`
   */
  async function portal(org_id: string, return_path: string | undefined): Promise<{ url: string }> {
    if (provider === null) throw billingNotConfigured();
    const account = await store.findAccount(platform_db, org_id);
    const customer_id = account?.customer_id ?? null;
    if (customer_id === null) throw new NotFound('the organization has never started a checkout');
    const { slug } = await orgs.get(org_id);
    const page = await provider.createPortal({ customer_id, return_url: buildReturnUrl(app_url, slug, return_path) });
    if (page !== null) return page;
    throw new NotFound('the customer of the organization was deleted at the payment provider; start a checkout');
  }

  return { checkout, portal };
}
