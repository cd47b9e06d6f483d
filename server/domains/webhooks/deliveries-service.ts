import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { assertFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { inBatches } from '../../lib/in-batches.ts';
import * as store from './deliveries-store.ts';
import { reopen } from './outbound-store.ts';
import { PAYLOAD_COLUMN } from './seals.ts';
import { findConfig } from './store.ts';
import type {
  Delivery,
  DeliveryFilter,
  DeliveryHeaders,
  DeliverySource,
  OpenedDelivery,
  Received,
  Settlement,
} from './types.ts';

const KEPT_MS = 30 * 86_400_000;
/** A lost queue entry is replaced after this time, for a day. */
export const LOST_AFTER_MS = 5 * 60_000;
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;
const REQUEUED_AT_ONCE = 200;

export interface DeliveriesDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'sealer' | 'now'> {
  /** Queues a received delivery once `trx` has committed. */
  enqueueReceived: (trx: Db, payload: { org_id: string; id: string }) => Promise<void>;
}

export function createDeliveries({ db, platform_db, sweep_db, sealer, enqueueReceived, now }: DeliveriesDeps) {
  /** One page of the received and sent deliveries of a configuration, newest first. @throws NotFound */
  async function list(
    orgId: string,
    filter: DeliveryFilter,
    page: { limit: number; offset: number },
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    return db.inOrg(orgId, async (trx) => {
      assertFound(await findConfig(trx, orgId, filter.config_id));
      return store.listDeliveries(trx, orgId, filter, page);
    });
  }

  /**
   * Stores a delivery once, however often it arrives: encrypted and queued if it is needed, or without its body
   * otherwise. A failed delivery is processed again when it arrives again. The caller must have verified its sender.
   *
   * @param raw the body as received
   */
  async function accept(
    orgId: string,
    source: DeliverySource,
    delivery_headers: DeliveryHeaders,
    raw: Buffer,
  ): Promise<Received> {
    const { is_handled, provider_delivery_id, event } = delivery_headers;
    const id = newId();
    const at = now();
    const kept = is_handled
      ? {
          status: 'accepted' as const,
          payload_ct: sealer.seal(PAYLOAD_COLUMN, { org_id: orgId, id }, raw),
          finished_at: null,
        }
      : { status: 'ignored' as const, payload_ct: null, finished_at: at };
    const next_attempt_at = is_handled ? new Date(at.getTime() + LOST_AFTER_MS) : null;
    const row = { id, ...source, provider_delivery_id, event, ...kept, next_attempt_at, begun_at: at, created_at: at };
    const kept_id = await db.inOrg(orgId, async (trx) => {
      const inserted = await store.insertReceived(trx, orgId, row);
      if (!inserted) return is_handled ? retryFailed(trx, orgId, source, provider_delivery_id) : undefined;
      if (is_handled) await enqueueReceived(trx, { org_id: orgId, id });
      return id;
    });
    if (kept_id === undefined) return { accepted: false, reason: 'duplicate' };
    return is_handled ? { accepted: true, delivery_id: kept_id } : { accepted: false, reason: 'ignored' };
  }

  /** Hosts repeat deliveries under the same id. @returns undefined if it has not failed */
  async function retryFailed(
    trx: Db,
    orgId: string,
    source: DeliverySource,
    provider_delivery_id: string,
  ): Promise<string | undefined> {
    const failed = await store.lockFailed(trx, orgId, source, provider_delivery_id);
    if (failed === undefined) return undefined;
    const at = now();
    const next_attempt_at = new Date(at.getTime() + LOST_AFTER_MS);
    await reopen(trx, orgId, failed.id, { status: 'accepted', next_attempt_at, at });
    await enqueueReceived(trx, { org_id: orgId, id: failed.id });
    return failed.id;
  }

  /** A received delivery to process; undefined if it is unknown or settled, or its body is no longer stored. */
  async function open(orgId: string, id: string): Promise<OpenedDelivery | undefined> {
    const found = await db.readInOrg(orgId, (read) => store.findUnsettled(read, orgId, id));
    if (found === undefined || found.payload_ct === null) return undefined;
    const { payload_ct, ...delivery } = found;
    return { ...delivery, raw: sealer.open(PAYLOAD_COLUMN, { org_id: orgId, id }, payload_ct) };
  }

  /** Records the outcome of processing a delivery; only the first call counts. */
  async function settle(orgId: string, id: string, { status, error }: Settlement): Promise<void> {
    const at = now();
    await db.inOrg(orgId, (trx) => store.settleReceived(trx, orgId, id, { status, error: error ?? null, at }));
  }

  /** Requeues unsettled deliveries, and fails those older than a day. */
  async function requeueStalled(): Promise<void> {
    let requeued = REQUEUED_AT_ONCE;
    while (requeued === REQUEUED_AT_ONCE) requeued = await requeueSome();
  }

  /** @returns how many were due; each is now requeued, postponed or settled */
  async function requeueSome(): Promise<number> {
    const due = await store.listDue(platform_db, 'accepted', now(), REQUEUED_AT_ONCE);
    for (const { org_id, id } of due) await requeueOne(org_id, id);
    return due.length;
  }

  async function requeueOne(org_id: string, id: string): Promise<void> {
    const at = now();
    const begun_at = await db.inOrg(org_id, async (trx) => {
      const begun_at = await store.postpone(trx, org_id, id, new Date(at.getTime() + LOST_AFTER_MS));
      if (begun_at !== undefined && isFresh(begun_at, at)) await enqueueReceived(trx, { org_id, id });
      return begun_at;
    });
    if (begun_at === undefined || isFresh(begun_at, at)) return;
    await settle(org_id, id, { status: 'failed', error: 'it was not processed within a day; deliver it again' });
  }

  async function deleteOld(): Promise<void> {
    const before = new Date(now().getTime() - KEPT_MS);
    await inBatches((limit) => store.deleteDeliveries(sweep_db, before, limit));
  }

  return { list, accept, open, settle, requeueStalled, deleteOld };
}

export type Deliveries = ReturnType<typeof createDeliveries>;

function isFresh(begun_at: Date, now: Date): boolean {
  return now.getTime() - begun_at.getTime() < GIVEN_UP_AFTER_MS;
}
