import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { assertFound, Conflict, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { AuditWriter } from '../audit/index.ts';
import { LOST_AFTER_MS } from './deliveries-service.ts';
import { findDelivery, listDue } from './deliveries-store.ts';
import * as store from './outbound-store.ts';
import { PAYLOAD_COLUMN } from './seals.ts';
import type { Send } from './send-service.ts';
import { type Attempt, buildEnvelope, classifyStatus, type Verdict, waitAfter } from './sending.ts';
import type { Delivery, OutboundEvent } from './types.ts';

/** A message whose process was killed is sent again after this time. */
const LEASE_MS = 60_000;
/** Maximum clock difference of the queue. */
const SKEW_MS = 5_000;
const REQUEUED_AT_ONCE = 200;
const MOST_FAILURES_IN_A_ROW = 20;

type Enqueue = (trx: Db, payload: { org_id: string; id: string }, at?: Date) => Promise<void>;

export interface OutboundDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sealer' | 'now'> {
  audit: AuditWriter;
  send: Send;
  /** Queues a received delivery once `trx` has committed. */
  enqueueReceived: Enqueue;
  /** Queues a message for `at` or later, once `trx` has committed. */
  enqueueSending: Enqueue;
  /** From 0 to 1. */
  random: () => number;
}

export function createOutbound(deps: OutboundDeps) {
  const { db, platform_db, sealer, audit, send, enqueueReceived, enqueueSending, random, now } = deps;

  /**
   * Sends an event to a server, once `trx` has committed.
   *
   * @returns false if the configuration is disabled, deleted, or that of a repository
   */
  async function queue(trx: Db, org_id: string, config_id: string, event: OutboundEvent): Promise<boolean> {
    const config = await store.lockConfig(trx, org_id, config_id);
    if (config?.enabled !== true || config.provider !== 'generic') return false;
    const [id, at] = [newId(), now()];
    await store.insertSent(trx, org_id, {
      id,
      config_id,
      provider_delivery_id: event.id,
      event: event.type,
      status: 'pending',
      error: null,
      payload_ct: sealer.seal(PAYLOAD_COLUMN, { org_id, id }, Buffer.from(buildEnvelope(event))),
      next_attempt_at: at,
      created_at: at,
      finished_at: null,
    });
    await enqueueSending(trx, { org_id, id });
    return true;
  }

  /**
   * Processes a received delivery again, or sends a sent one again, under its original id.
   *
   * @throws NotFound; Conflict `webhook_disabled`, `delivery_pending` while it is not finished, `delivery_not_kept`
   *   without its body
   */
  async function redeliver(org_id: string, config_id: string, id: string): Promise<Delivery> {
    return db.inOrg(org_id, async (trx) => {
      // The same lock order as `work`, so that they cannot deadlock.
      const delivery = await store.lockDelivery(trx, org_id, { config_id, id });
      const config = await store.lockConfig(trx, org_id, config_id);
      if (config === undefined || delivery === undefined) throw new NotFound();
      assertRedeliverable(config, delivery);
      await begin(trx, { org_id, id }, delivery.direction);
      const begun = assertFound(await findDelivery(trx, org_id, id));
      return begun;
    });
  }

  async function begin(trx: Db, payload: { org_id: string; id: string }, direction: 'in' | 'out'): Promise<void> {
    const { org_id, id } = payload;
    const at = now();
    if (direction === 'out') {
      await store.reopen(trx, org_id, id, { status: 'pending', next_attempt_at: at, at });
      return enqueueSending(trx, payload);
    }
    const next_attempt_at = new Date(at.getTime() + LOST_AFTER_MS);
    await store.reopen(trx, org_id, id, { status: 'accepted', next_attempt_at, at });
    return enqueueReceived(trx, payload);
  }

  /** Sends a due message; does nothing if another worker sends or has sent it. */
  async function sendDue({ org_id, id }: { org_id: string; id: string }): Promise<void> {
    const at = now().getTime();
    const [due, until] = [new Date(at + SKEW_MS), new Date(at + LEASE_MS)];
    const { claimed, config } = await db.inOrg(org_id, async (trx) => {
      const claimed = await store.claimSending(trx, org_id, id, { due, until });
      return { claimed, config: claimed && (await store.lockConfig(trx, org_id, claimed.config_id)) };
    });
    if (claimed === undefined) return;
    if (config?.enabled !== true) return giveUp(org_id, claimed);
    const body = sealer.open(PAYLOAD_COLUMN, { org_id, id }, claimed.payload_ct).toString();
    const attempt = await send(org_id, config, { id: claimed.provider_delivery_id, body });
    await conclude(org_id, claimed, attempt);
  }

  async function giveUp(org_id: string, claimed: store.ClaimedDelivery): Promise<void> {
    const error = 'the webhook is disabled; enable it and deliver again';
    const failed = { status: 'failed' as const, http_status: null, error, duration_ms: 0, next_attempt_at: null };
    await db.inOrg(org_id, (trx) => store.noteAttempt(trx, org_id, claimed, { ...failed, finished_at: now() }));
  }

  async function conclude(org_id: string, claimed: store.ClaimedDelivery, attempt: Attempt): Promise<void> {
    const { id, config_id, attempts } = claimed;
    const { retry_after_ms, ...outcome } = attempt;
    const verdict = classifyStatus(attempt.http_status);
    const wait_ms = verdict === 'failed' ? waitAfter(attempts, random(), retry_after_ms) : null;
    const at = now();
    const disabled = await db.inOrg(org_id, async (trx) => {
      if (wait_ms !== null) {
        const next_attempt_at = new Date(at.getTime() + wait_ms);
        const waiting = { ...outcome, status: 'pending' as const, next_attempt_at, finished_at: null };
        const noted = await store.noteAttempt(trx, org_id, claimed, waiting);
        if (noted) await enqueueSending(trx, { org_id, id }, next_attempt_at);
        return false;
      }
      const status = verdict === 'delivered' ? ('delivered' as const) : ('failed' as const);
      const row = { ...outcome, status, next_attempt_at: null, finished_at: at };
      if (!(await store.noteAttempt(trx, org_id, claimed, row))) return false;
      return disableAfter(trx, org_id, config_id, verdict);
    });
    if (!disabled) return;
    const detail = { config_id, enabled: false };
    await audit.record({ action: 'webhook_config.updated', org_id, actor_email: '', detail });
  }

  /** @returns whether the configuration was disabled */
  async function disableAfter(trx: Db, org_id: string, config_id: string, verdict: Verdict): Promise<boolean> {
    const streak = await store.countOutcome(trx, org_id, config_id, verdict === 'delivered');
    if (verdict !== 'gone' && streak < MOST_FAILURES_IN_A_ROW) return false;
    return store.disable(trx, org_id, config_id, now());
  }

  /** Requeues messages that the queue has lost. */
  async function requeueLost(): Promise<void> {
    const lost = new Date(now().getTime() - LEASE_MS);
    for (const { org_id, id } of await listDue(platform_db, 'pending', lost, REQUEUED_AT_ONCE)) {
      await db.inOrg(org_id, async (trx) => {
        if (await store.makeDue(trx, org_id, id, now())) await enqueueSending(trx, { org_id, id });
      });
    }
  }

  return { queue, redeliver, sendDue, requeueLost };
}

function assertRedeliverable({ enabled }: store.LockedConfig, delivery: store.KeptDelivery): void {
  if (!enabled) throw new Conflict('the webhook is disabled; enable it first', 'webhook_disabled');
  if (!delivery.is_kept) {
    throw new Conflict(
      'the body of this delivery is no longer stored, so it cannot be delivered again',
      'delivery_not_kept',
    );
  }
  if (delivery.finished_at === null) {
    throw new Conflict('the delivery is not finished; wait until it is', 'delivery_pending');
  }
}
