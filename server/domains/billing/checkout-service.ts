import type { BillingProvider, Checkout, SubscriptionStatus } from '../../adapters/billing/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { Conflict, Unavailable } from '../../lib/errors.ts';
import type { Orgs } from '../orgs/index.ts';
import { type CustomersDeps, createCustomers } from './customers-service.ts';
import { billingNotConfigured } from './not-configured.ts';
import { buildReturnUrl } from './return-url.ts';
import * as store from './store.ts';
import type { Prices } from './types.ts';

/** A subscription in these statuses has ended or was never paid, so that another one can be bought. */
const OVER: ReadonlySet<string> = new Set<SubscriptionStatus>(['canceled', 'incomplete']);
/** How often a page is offered again because another checkout has offered one meanwhile. */
const TRIES = 5;
/** A page that expires sooner is replaced. */
const SHORTEST_LIFE_MS = 10 * 60_000;

export interface CheckoutDeps extends Pick<ServiceDeps, 'platform_db' | 'now'>, CustomersDeps {
  orgs: Pick<Orgs, 'get'>;
  provider: BillingProvider | null;
  prices: Prices;
  /** Public address of the pages to which people return. */
  app_url: string | null;
}

/** Pages of the provider on which people pay. An organization has one at a time, so that it cannot be paid twice. */
export function createCheckouts(deps: CheckoutDeps) {
  const { platform_db, now, orgs, provider, prices, app_url } = deps;
  const customers = createCustomers(deps);

  /**
   * A page on which a person buys the team plan; the same one while it can be used.
   *
   * @throws Conflict `already_subscribed`; ServiceError 503 `billing_not_configured`, 502 `billing_backend_error`
   */
  async function checkout(org_id: string, return_path: string | undefined): Promise<{ url: string; expires_at: Date }> {
    if (provider === null) throw billingNotConfigured();
    const { slug, display_name: name } = await orgs.get(org_id);
    const return_url = buildReturnUrl(app_url, slug, return_path);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const account = await store.findAccount(platform_db, org_id);
      const customer_id = await customers.ensure(provider, { org_id, name }, account);
      const current = account?.checkout_session_id ?? null;
      const page = await offer(provider, { org_id, customer_id, price_id: prices.team, return_url }, current);
      if (page !== null) return page;
    }
    throw new Unavailable('other checkouts of the organization were started at the same time');
  }

  /** @returns null if another checkout has offered a page meanwhile */
  async function offer(
    from: BillingProvider,
    sale: Parameters<BillingProvider['createCheckout']>[0],
    current: string | null,
  ): Promise<Checkout | null> {
    const { org_id, customer_id } = sale;
    const open = await from.listOpenCheckouts(customer_id);
    const usable = open.find((one) => one.id === current && isUsable(one, sale));
    if (usable === undefined && current !== null && open.some(({ id }) => id === current)) {
      await from.expireCheckout(current);
    }
    // After the pages, because one that is no longer open can have been paid.
    await assertNotSubscribed(from, customer_id);
    if (usable !== undefined) return usable;
    const created = await from.createCheckout(sale);
    if (!(await store.swapCheckout(platform_db, org_id, current, created.id))) {
      await from.expireCheckout(created.id);
      return null;
    }
    for (const { id } of open) if (id !== current) await from.expireCheckout(id);
    return created;
  }

  async function assertNotSubscribed(from: BillingProvider, customer_id: string): Promise<void> {
    const subscriptions = await from.listSubscriptions(customer_id);
    if (subscriptions.every(({ status }) => OVER.has(status))) return;
    const message = 'the organization already has a subscription; change it in the billing portal';
    throw new Conflict(message, 'already_subscribed');
  }

  function isUsable(
    { price_id, return_url, expires_at }: Checkout,
    sale: { price_id: string; return_url: string },
  ): boolean {
    const lives = expires_at.getTime() - now().getTime() >= SHORTEST_LIFE_MS;
    return lives && price_id === sale.price_id && return_url === sale.return_url;
  }

  return { checkout };
}
