import type { BillingProvider, RequestRejected, Subscription } from '../../adapters/billing/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import { Unavailable } from '../../lib/errors.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { announce } from './announce.ts';
import { findObstacle } from './attribution.ts';
import { type Decision, decide } from './decide.ts';
import { insertDuplicates } from './due-store.ts';
import type { Duplicates } from './duplicates-service.ts';
import * as store from './store.ts';
import type { Finding, ParkedReason, Prices, StoredEvent } from './types.ts';

const DAY_MS = 86_400_000;
/** How often a subscription is read again because another process has written meanwhile. */
const TRIES = 10;
/** An event that the provider rejects is tried for almost a day. */
const MOST_REQUEUES = 8;

export interface ApplyDeps extends Pick<ServiceDeps, 'platform_db' | 'now' | 'log'> {
  orgs: { admin: Pick<Orgs['admin'], 'findPlan' | 'setPaidPlan'> };
  audit: Pick<AuditWriter, 'recordIn'>;
  duplicates: Pick<Duplicates, 'settle'>;
  provider: BillingProvider | null;
  prices: Prices;
  /** Counts something that an operator should look at. */
  onFinding: (finding: Finding) => void;
}

/** What the provider said about a customer, and the version of the account when it was asked. */
interface Read {
  version: number;
  customer_id: string;
  subscriptions: Subscription[];
}

/** Brings the plan of an organization in line with its subscription at the provider. */
export function createApply(deps: ApplyDeps) {
  const { platform_db, now, log, orgs, audit, duplicates, provider, prices, onFinding } = deps;

  /**
   * Applies an event that was received; safe to call twice. One that the provider rejects waits until it is due again,
   * and fails after the last attempt.
   *
   * @throws ServiceError 502 `billing_backend_error`; errors of the database
   */
  async function run({ id }: { id: string }): Promise<void> {
    const event = await store.findWaitingEvent(platform_db, id);
    if (event === undefined || provider === null) return;
    try {
      await apply(provider, event);
    } catch (error) {
      if (!isRejection(error)) throw error;
      await postpone(event, error);
    }
  }

  async function apply(from: BillingProvider, event: StoredEvent): Promise<void> {
    const account = await store.findAccount(platform_db, event.org_id);
    const obstacle = await findObstacle(from, account, event);
    if (obstacle !== null) return park(event, obstacle);
    try {
      await refresh(from, event.org_id, event);
    } catch (error) {
      if (!store.isTakenCustomer(error)) throw error;
      await park(event, 'customer_of_another_organization');
    }
  }

  async function postpone({ id, requeues, ...event }: StoredEvent, error: RequestRejected): Promise<void> {
    const { reason } = error;
    log.warn({ err: error, ...event, requeues, reason }, 'the payment provider rejects the requests of an event');
    if (requeues < MOST_REQUEUES || !(await store.failEvent(platform_db, id, reason))) return;
    log.warn({ ...event, reason }, 'event failed');
    onFinding('event_failed');
  }

  /** Keeps an event that belongs to nobody, with the reason, instead of trying it for ever. */
  async function park(event: StoredEvent, reason: ParkedReason): Promise<void> {
    if (!(await store.parkEvent(platform_db, event.id, reason))) return;
    const { org_id, stripe_event_id, type, customer_id } = event;
    log.warn({ org_id, stripe_event_id, type, customer_id, reason }, 'event parked');
    onFinding(reason);
  }

  /** Reads the subscription of an organization again, without an event. @throws as `run` */
  async function reconcile(org_id: string): Promise<void> {
    if (provider !== null) await refresh(provider, org_id, null);
  }

  async function refresh(from: BillingProvider, org_id: string, event: StoredEvent | null): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const account = await store.findAccount(platform_db, org_id);
      const customer_id = account?.customer_id ?? event?.customer_id;
      if (customer_id === undefined) return;
      // Nobody holds a lock while the provider responds; the version shows whether what it said is outdated.
      const subscriptions = await from.listSubscriptions(customer_id);
      const read = { version: account?.version ?? 0, customer_id, subscriptions };
      const result = await platform_db.transaction((trx) => write(trx, org_id, event, read));
      if (result === 'duplicates_found') return settle(org_id);
      if (result === 'done') return;
    }
    throw new Unavailable('the subscription changed each time it was read');
  }

  /** @returns `outdated` if the subscription must be read again */
  async function write(
    trx: Db,
    org_id: string,
    event: StoredEvent | null,
    read: Read,
  ): Promise<'outdated' | 'done' | 'duplicates_found'> {
    await lockOrg(trx, org_id);
    const at = now();
    const { customer_id, subscriptions, version } = read;
    const account = await store.lockAccount(trx, org_id, at);
    if (account.version !== version) return 'outdated';
    if (event !== null && !(await store.markApplied(trx, event.id, at))) return 'done';
    const plan = await orgs.admin.findPlan(trx, org_id);
    if (plan === undefined) return 'done';
    const decision = decide(account, plan, subscriptions, prices);
    warn(org_id, decision);
    if (account.customer_id === null) await store.setCustomer(trx, { org_id, former: null, customer_id }, at);
    await store.saveState(trx, org_id, decision.state, { now: at, due: new Date(at.getTime() + DAY_MS) });
    const paid = { plan: decision.plan ?? plan, seat_overage: sellsSeats(decision) };
    await orgs.admin.setPaidPlan(trx, org_id, paid);
    const found = decision.duplicates.map((subscription_id) => ({ subscription_id, org_id, customer_id }));
    const outcome = { decision, plan: paid.plan, customer_id, duplicates: await insertDuplicates(trx, found, at) };
    await announce(trx, audit, { org_id, event }, outcome);
    return found.length > 0 ? 'duplicates_found' : 'done';
  }

  function sellsSeats({ state: { status, granted_plan } }: Decision): boolean {
    return prices.seat !== null && granted_plan === 'team' && (status === 'active' || status === 'trialing');
  }

  function warn(org_id: string, { unknown_prices, granting_count, state: { subscription_id } }: Decision): void {
    if (unknown_prices.length > 0) {
      log.warn({ org_id, subscription_id, unknown_prices }, 'no plan has the price of a subscription; plan unchanged');
      onFinding('unknown_price');
    }
    if (granting_count > 1) {
      log.warn({ org_id, granting_count }, 'an organization pays for several subscriptions');
      onFinding('duplicate_subscription');
    }
  }

  /** The event is applied; a duplicate that cannot be canceled now is left to the sweep. */
  async function settle(org_id: string): Promise<void> {
    await duplicates.settle(org_id).catch((error) => {
      log.warn({ err: error, org_id }, 'duplicate subscription not canceled');
      onFinding('provider_failed');
    });
  }

  return { run, reconcile };
}

function isRejection(error: unknown): error is RequestRejected {
  return error instanceof Error && error.name === 'RequestRejected';
}

export type Apply = ReturnType<typeof createApply>;
