import type { BillingProvider, ProviderEvent } from '../../adapters/billing/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { InvalidInput, ServiceError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { billingNotConfigured } from './not-configured.ts';
import * as store from './store.ts';
import type { Finding, StoredEvent } from './types.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Events after which a subscription is read again; all others are ignored. */
const HANDLED =
  /^(checkout\.session\.(completed|async_payment_succeeded)|customer\.subscription\.[a-z_]+|invoice\.(payment_failed|paid))$/;

/** An event is queued again after this time, because the queue may have lost it. */
const PATIENCE_MS = 5 * 60_000;

export interface ReceiverDeps extends Pick<ServiceDeps, 'platform_db' | 'now' | 'log'> {
  provider: BillingProvider | null;
  /** Queues an event once `trx` has committed. */
  enqueue: (trx: Db, event: { org_id: string; id: string }) => Promise<void>;
  /** Counts something that an operator should look at. */
  onFinding: (finding: Finding) => void;
}

export function createReceiver({ platform_db, now, log, provider, enqueue, onFinding }: ReceiverDeps) {
  /**
   * Opens a delivery before its body is read.
   *
   * @returns a function that verifies the body and stores the event, once however often it arrives; it throws
   *   ServiceError 401 `signature_invalid` and InvalidInput
   * @throws ServiceError 503 `billing_not_configured`; ServiceError 401 without a signature
   */
  function open(signature: string | undefined): (raw: Buffer) => Promise<void> {
    if (provider === null) throw billingNotConfigured();
    if (signature === undefined) throw new ServiceError(401, 'signature_invalid', 'the delivery has no signature');
    return (raw) => accept(provider, raw, signature);
  }

  async function accept(from: BillingProvider, raw: Buffer, signature: string): Promise<void> {
    const event = await from.readEvent(raw, signature, now());
    const { id: stripe_event_id, type, customer_id, org_id: named } = event;
    assertMode(from, event);
    if (!HANDLED.test(type) || customer_id === null) return;
    if (await store.isSettled(platform_db, stripe_event_id)) return;
    const owner = await findOwner(customer_id, named);
    if (owner === undefined) {
      log.warn({ stripe_event_id, type, customer_id }, 'event of an unknown or deleted organization ignored');
      return onFinding('unknown_organization');
    }
    await keep({ id: newId(), org_id: owner, stripe_event_id, type, customer_id, requeues: 0 });
  }

  /** A test event must never change a plan that is paid for, nor the other way around. */
  function assertMode({ is_live }: BillingProvider, { id: stripe_event_id, type, is_live: of_event }: ProviderEvent) {
    if (is_live === null || of_event === is_live) return;
    log.warn({ stripe_event_id, type, is_live: of_event }, 'event of the other mode refused');
    onFinding('other_mode');
    const [given, expected] = of_event ? ['live', 'test'] : ['test', 'live'];
    throw new InvalidInput(
      `the event is from the ${given} mode, and the key of this deployment is for the ${expected} mode`,
    );
  }

  async function keep(event: StoredEvent): Promise<void> {
    await platform_db.transaction(async (trx) => {
      const at = now();
      const due_at = new Date(at.getTime() + PATIENCE_MS);
      const id = await store.insertEvent(trx, event, { now: at, due_at });
      if (id !== undefined) await enqueue(trx, { org_id: event.org_id, id });
    });
  }

  /** The organization that the customer pays for, or else the one that the event names, if it lives. */
  async function findOwner(customer_id: string, named: string | null): Promise<string | undefined> {
    const known = await store.findOrgOfCustomer(platform_db, customer_id);
    if (known !== undefined || named === null || !UUID.test(named)) return known;
    const org_id = named.toLowerCase();
    return (await store.isLiveOrg(platform_db, org_id)) ? org_id : undefined;
  }

  return { open };
}
