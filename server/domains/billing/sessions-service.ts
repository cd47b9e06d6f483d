import type { BillingProvider } from '../../adapters/billing/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { lockOrg } from '../../db/index.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import type { Orgs } from '../orgs/index.ts';
import { billingNotConfigured } from './not-configured.ts';
import * as store from './store.ts';
import type { Prices } from './types.ts';

/** Statuses in which a subscription ends or was never paid, so that another one can be bought. */
const OPEN = new Set(['none', 'canceled', 'incomplete']);

export interface SessionsDeps extends Pick<ServiceDeps, 'platform_db' | 'now'> {
  orgs: Pick<Orgs, 'get'>;
  provider: BillingProvider | null;
  prices: Prices;
  /** Public address of the pages to which people return. */
  app_url: string | null;
}

/** Pages of the provider on which people pay and manage their subscription. */
export function createSessions({ platform_db, now, orgs, provider, prices, app_url }: SessionsDeps) {
  /**
   * A page on which a person buys the team plan.
   *
   * @throws Conflict `already_subscribed`; ServiceError 503 `billing_not_configured`, 502 `billing_backend_error`
   */
  async function checkout(org_id: string, return_path: string | undefined): Promise<{ url: string; expires_at: Date }> {
    const account = await store.findAccount(platform_db, org_id);
    if (account !== undefined && !OPEN.has(account.status)) {
      throw new Conflict(
        'the organization already has a subscription; change it in the billing portal',
        'already_subscribed',
      );
    }
    if (provider === null) throw billingNotConfigured();
    const { slug, display_name } = await orgs.get(org_id);
    const customer_id = account?.customer_id ?? (await makeCustomer(provider, org_id, display_name));
    const return_url = buildReturnUrl(slug, return_path);
    return provider.createCheckout({ org_id, customer_id, price_id: prices.team, return_url });
  }

  /** Two checkouts at once get the same customer: the provider creates one, and the first row wins. */
  async function makeCustomer(from: BillingProvider, org_id: string, name: string): Promise<string> {
    const created = await from.createCustomer({ org_id, name });
    return platform_db.transaction(async (trx) => {
      await lockOrg(trx, org_id);
      const { customer_id } = await store.lockAccount(trx, org_id, now());
      if (customer_id !== null) return customer_id;
      await store.setCustomer(trx, org_id, created, now());
      return created;
    });
  }

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
    return provider.createPortal({ customer_id, return_url: buildReturnUrl(slug, return_path) });
  }

  function buildReturnUrl(slug: string, return_path = `/orgs/${slug}/settings/billing`): string {
    return `${app_url ?? ''}${return_path}`;
  }

  return { checkout, portal };
}
