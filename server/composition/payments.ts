/** Subscriptions that pay for the plans of organizations. */
import type { BillingProvider } from '../adapters/billing/types.ts';
import type { Db } from '../db/index.ts';
import { billingParts, createBilling, type Prices } from '../domains/billing/index.ts';
import { enqueue } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { Platform } from './platform.ts';

export interface PaymentsDeps {
  platform: Platform;
  /** null: the deployment has no payment provider. */
  billingProvider: BillingProvider | null;
  /** Databases across organizations, for each domain that has one. */
  cross_org: { billing: { platform_db: Db; sweep_db: Db } };
  settings: { prices: Prices };
}

export function createPayments(foundation: Foundation, deps: PaymentsDeps) {
  const { platform, billingProvider, cross_org, settings } = deps;
  const billing = createBilling({
    ...foundation,
    ...platform,
    ...cross_org.billing,
    provider: billingProvider,
    prices: settings.prices,
    app_url: foundation.base_urls.app_url,
    onFinding: (finding) => foundation.metrics.billing_findings.inc({ finding }),
    enqueue: (trx, event) => enqueue(trx, 'billing', event),
  });
  return { parts: [billingParts(billing)] };
}
