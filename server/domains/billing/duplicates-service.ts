import type { BillingProvider, Subscription } from '../../adapters/billing/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { AuditWriter } from '../audit/index.ts';
import { findDuplicates } from './decide.ts';
import * as due from './due-store.ts';
import type { Duplicate, Prices } from './types.ts';

export interface DuplicatesDeps extends Pick<ServiceDeps, 'platform_db'> {
  audit: Pick<AuditWriter, 'recordIn'>;
  provider: BillingProvider | null;
  prices: Prices;
}

/** Subscriptions that an organization has bought twice. */
export function createDuplicates({ platform_db, audit, provider, prices }: DuplicatesDeps) {
  /**
   * Cancels the duplicates of an organization that are still ones. Safe to repeat at any point.
   *
   * @throws ServiceError 502 `billing_backend_error`
   */
  async function settle(org_id: string): Promise<void> {
    if (provider === null) return;
    for (const duplicate of await due.listDuplicates(platform_db, org_id)) await cancel(provider, duplicate);
  }

  async function cancel(from: BillingProvider, duplicate: Duplicate): Promise<void> {
    const { org_id, customer_id, subscription_id } = duplicate;
    // The one that was kept can have ended meanwhile; then this one is needed.
    const subscriptions = await from.listSubscriptions(customer_id);
    const is_duplicate = findDuplicates(org_id, subscriptions, prices).includes(subscription_id);
    if (is_duplicate) await from.cancelSubscription(subscription_id);
    const has_ended = is_duplicate || isOver(subscriptions.find(({ id }) => id === subscription_id));
    await platform_db.transaction(async (trx) => {
      if (!(await due.deleteDuplicate(trx, duplicate)) || !has_ended) return;
      const detail = { stripe_subscription: subscription_id, stripe_customer: customer_id };
      await audit.recordIn(trx, { org_id, actor_email: '', action: 'billing.duplicate_canceled', detail });
    });
  }

  return { settle };
}

function isOver(subscription: Subscription | undefined): boolean {
  return subscription === undefined || subscription.status === 'canceled';
}

export type Duplicates = ReturnType<typeof createDuplicates>;
