import type { BillingProvider } from '../../adapters/billing/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Orgs } from '../orgs/index.ts';
import { chooseSubscription } from './decide.ts';
import * as due from './due-store.ts';
import { countSeats } from './record.ts';
import * as store from './store.ts';
import type { Prices } from './types.ts';

export interface SeatsDeps extends Pick<ServiceDeps, 'platform_db'> {
  orgs: Pick<Orgs, 'limits'>;
  provider: BillingProvider | null;
  prices: Prices;
}

export function createSeats({ platform_db, orgs, provider, prices }: SeatsDeps) {
  /**
   * Reports the seats above those of the plan as the quantity of their price. Reporting twice changes nothing.
   *
   * @param day UTC, such as `2026-01-31`
   * @throws ServiceError 502 `billing_backend_error`
   */
  async function report(org_id: string, day: string): Promise<void> {
    const { seat: price_id } = prices;
    const account = await store.findAccount(platform_db, org_id);
    if (provider === null || price_id === null || account?.customer_id == null) return;
    const { overage: quantity } = countSeats(await orgs.limits(org_id));
    const subscription = chooseSubscription(await provider.listSubscriptions(account.customer_id), prices);
    if (subscription !== undefined) {
      const item = subscription.items.find((one) => one.price_id === price_id);
      if ((item?.quantity ?? 0) !== quantity) {
        const idempotency_key = `seats-${org_id}-${day}-${quantity}`;
        await provider.setSeats({ subscription_id: subscription.id, item, price_id, quantity, idempotency_key });
      }
    }
    await due.setSeatsReported(platform_db, org_id, day);
  }

  return { report };
}

export type Seats = ReturnType<typeof createSeats>;
