import type { BillingProvider } from '../../adapters/billing/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { lockOrg } from '../../db/index.ts';
import type { AuditWriter } from '../audit/index.ts';
import * as store from './store.ts';
import type { BillingAccount } from './types.ts';

export interface CustomersDeps extends Pick<ServiceDeps, 'platform_db' | 'now'> {
  audit: Pick<AuditWriter, 'recordIn'>;
}

export function createCustomers({ platform_db, now, audit }: CustomersDeps) {
  /**
   * The customer of an organization at the provider, created if there is none or it was deleted there.
   *
   * @throws ServiceError 502 `billing_backend_error`
   */
  async function ensure(
    from: BillingProvider,
    { org_id, name }: { org_id: string; name: string },
    account: BillingAccount | undefined,
  ): Promise<string> {
    const former = account?.customer_id ?? null;
    if (former !== null && (await from.findCustomer(former)) !== null) return former;
    const created = await from.createCustomer({ org_id, name, replaces: former });
    return keep(org_id, former, created);
  }

  /** Two checkouts at once get the same customer: the provider creates one, and the first row wins. */
  async function keep(org_id: string, former: string | null, created: string): Promise<string> {
    return platform_db.transaction(async (trx) => {
      await lockOrg(trx, org_id);
      const { customer_id } = await store.lockAccount(trx, org_id, now());
      if (customer_id !== former && customer_id !== null) return customer_id;
      await store.setCustomer(trx, { org_id, former, customer_id: created }, now());
      if (former !== null) {
        const detail = { stripe_customer: created, former_customer: former };
        await audit.recordIn(trx, { org_id, actor_email: '', action: 'billing.customer_replaced', detail });
      }
      return created;
    });
  }

  return { ensure };
}

export type Customers = ReturnType<typeof createCustomers>;
