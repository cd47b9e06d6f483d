import type { BillingProvider, Subscription } from '../../adapters/billing/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import { Unavailable } from '../../lib/errors.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { type Decision, decide } from './decide.ts';
import * as store from './store.ts';
import type { Prices, StoredEvent } from './types.ts';

/** How often a subscription is read again because another process has written meanwhile. */
const TRIES = 10;
const PAYMENT_FAILED = 'invoice.payment_failed';

export interface ApplyDeps extends Pick<ServiceDeps, 'platform_db' | 'now' | 'log'> {
  orgs: { admin: Pick<Orgs['admin'], 'findPlan' | 'setPaidPlan'> };
  audit: Pick<AuditWriter, 'recordIn'>;
  provider: BillingProvider | null;
  prices: Prices;
}

/** Brings the plan of an organization in line with its subscription at the provider. */
export function createApply({ platform_db, now, log, orgs, audit, provider, prices }: ApplyDeps) {
  /**
   * Applies an event that was received; safe to call twice.
   *
   * @throws ServiceError 502 `billing_backend_error`; errors of the database
   */
  async function run({ id }: { id: string }): Promise<void> {
    const event = await store.findWaitingEvent(platform_db, id);
    if (event !== undefined) await refresh(event.org_id, event);
  }

  /** Reads the subscription of an organization again, without an event. @throws as `run` */
  async function reconcile(org_id: string): Promise<void> {
    await refresh(org_id, null);
  }

  async function refresh(org_id: string, event: StoredEvent | null): Promise<void> {
    if (provider === null) return;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const account = await store.findAccount(platform_db, org_id);
      const customer_id = account?.customer_id ?? event?.customer_id;
      if (customer_id === undefined) return;
      // Nobody holds a lock while the provider responds; the version shows whether what it said is outdated.
      const subscriptions = await provider.listSubscriptions(customer_id);
      const read = { version: account?.version ?? 0, customer_id, subscriptions };
      if (await platform_db.transaction((trx) => write(trx, org_id, event, read))) return;
    }
    throw new Unavailable('the subscription changed each time it was read');
  }

  /** @returns false if the subscription must be read again */
  async function write(
    trx: Db,
    org_id: string,
    event: StoredEvent | null,
    read: { version: number; customer_id: string; subscriptions: Subscription[] },
  ): Promise<boolean> {
    await lockOrg(trx, org_id);
    const at = now();
    const account = await store.lockAccount(trx, org_id, at);
    if (account.version !== read.version) return false;
    if (event !== null && !(await store.markApplied(trx, event.id, at))) return true;
    const plan = await orgs.admin.findPlan(trx, org_id);
    if (plan === undefined) return true;
    const decision = decide(account, plan, read.subscriptions, prices);
    warn(org_id, decision);
    if (account.customer_id === null) await store.setCustomer(trx, org_id, read.customer_id, at);
    await store.saveState(trx, org_id, decision.state, at);
    const paid = { plan: decision.plan ?? plan, seat_overage: sellsSeats(decision) };
    await orgs.admin.setPaidPlan(trx, org_id, paid);
    await announce(trx, org_id, event, { decision, plan: paid.plan, customer_id: read.customer_id });
    return true;
  }

  function sellsSeats({ state: { status, granted_plan } }: Decision): boolean {
    return prices.seat !== null && granted_plan === 'team' && (status === 'active' || status === 'trialing');
  }

  function warn(org_id: string, { unknown_prices, granting_count, state: { subscription_id } }: Decision): void {
    if (unknown_prices.length > 0) {
      log.warn({ org_id, subscription_id, unknown_prices }, 'no plan has the price of a subscription; plan unchanged');
    }
    if (granting_count > 1) log.warn({ org_id, granting_count }, 'an organization pays for several subscriptions');
  }

  /** The last statements of a transaction. */
  async function announce(
    trx: Db,
    org_id: string,
    event: StoredEvent | null,
    { decision, plan, customer_id }: { decision: Decision; plan: string; customer_id: string },
  ): Promise<void> {
    const { change, state } = decision;
    const { status } = state;
    const cause = { stripe_event_id: event?.stripe_event_id ?? '', stripe_event_type: event?.type ?? 'reconcile' };
    const row = { org_id, actor_email: '' };
    if (change === 'subscription_created') {
      const detail = { ...cause, plan, status, stripe_customer: customer_id };
      await audit.recordIn(trx, { ...row, action: 'billing.subscription_created', detail });
    } else if (change === 'plan_changed') {
      await audit.recordIn(trx, { ...row, action: 'billing.plan_changed', detail: { ...cause, plan, status } });
    } else if (change === 'subscription_cancelled') {
      await audit.recordIn(trx, { ...row, action: 'billing.subscription_cancelled', detail: { ...cause, plan } });
    }
    if (event?.type === PAYMENT_FAILED) {
      const detail = { ...cause, status, stripe_customer: customer_id };
      await audit.recordIn(trx, { ...row, action: 'billing.payment_failed', detail });
    }
  }

  return { run, reconcile };
}

export type Apply = ReturnType<typeof createApply>;
