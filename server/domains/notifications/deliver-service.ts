import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import type { ButtonSigner } from '../../lib/button-signer.ts';
import { assertFound, Conflict } from '../../lib/errors.ts';
import type { Orgs } from '../orgs/index.ts';
import { waitAfter } from '../webhooks/index.ts';
import { listAnalysisButtons, listButtons } from './buttons.ts';
import * as store from './deliveries-store.ts';
import { describeNews, isShown, toSent } from './delivery-state.ts';
import { findEvent } from './events-store.ts';
import { findScheduleName } from './facts-store.ts';
import type { Issues } from './issue-service.ts';
import { renderIssue, renderIssueComment, renderIssueNotice } from './issue-text.ts';
import type { Media } from './media-service.ts';
import { describeThread } from './message.ts';
import { describeNotice } from './notice.ts';
import { openMail, openUrl } from './seals.ts';
import { findPlace } from './targets-store.ts';
import { isResolved } from './thread.ts';
import * as threads from './threads-store.ts';
import type { NotificationDelivery, Place, Posting, Sending, SendOutcome } from './types.ts';

/** A delivery whose process was killed is sent again after this time. */
const LEASE_MS = 60_000;
/** Maximum clock difference of the queue. */
const SKEW_MS = 5_000;
/** Another worker is posting or changing the same message. */
const BUSY_MS = 1_000;
const REQUEUED_AT_ONCE = 200;

const GONE: SendOutcome = {
  status: 'refused',
  http_status: null,
  error: 'the target is disabled or deleted; enable it and deliver again',
};

const DELETED: SendOutcome = { status: 'refused', http_status: null, error: 'the schedule was deleted' };

/** There is nothing to send. */
const SHOWN: SendOutcome = { status: 'delivered', http_status: null, is_skipped: true };

export interface DeliveriesDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sealer' | 'now'> {
  orgs: Pick<Orgs, 'get'>;
  media: Pick<Media, 'slack' | 'teams' | 'email' | 'sendMail'>;
  issues: Issues;
  /** Shows at a schedule why its notifications do not arrive at a target; null = they do. */
  onScheduleNotified: (
    trx: Db,
    org_id: string,
    delivery: { schedule_id: string; target: string; error: string | null },
  ) => Promise<void>;
  enqueueDelivery: (trx: Db, payload: { org_id: string; id: string }, at?: Date) => Promise<void>;
  /** The value of a button. */
  signButton: ButtonSigner['sign'];
  /** From 0 to 1. */
  random: () => number;
}

/** Sends messages to people, and retries. */
export function createDeliveries(deps: DeliveriesDeps) {
  const { db, platform_db, sealer, orgs, media, issues, onScheduleNotified, enqueueDelivery, signButton, random, now } =
    deps;

  /** Sends a due delivery; does nothing if another worker sends or has sent it. */
  async function sendDue({ org_id, id }: { org_id: string; id: string }): Promise<void> {
    const at = now();
    const until = new Date(at.getTime() + LEASE_MS);
    const held = await db.inOrg(org_id, async (trx) => {
      const claimed = await store.claim(trx, org_id, id, { due: new Date(at.getTime() + SKEW_MS), until });
      if (claimed === undefined || claimed.thread_id === null) return claimed && { claimed, thread: null };
      const thread = await threads.claimThread(trx, org_id, claimed.thread_id, { now: at, until });
      if (thread !== undefined) return { claimed, thread };
      const later = new Date(at.getTime() + BUSY_MS);
      await store.unclaim(trx, org_id, claimed, later);
      await enqueueDelivery(trx, { org_id, id }, later);
      return undefined;
    });
    if (held === undefined) return;
    const outcome = await attempt(org_id, held.claimed, held.thread);
    await conclude(org_id, held, outcome, now().getTime() - at.getTime());
  }

  async function attempt(
    org_id: string,
    claimed: store.ClaimedDelivery,
    thread: threads.ClaimedThread | null,
  ): Promise<SendOutcome> {
    const { target_kind } = claimed;
    if (target_kind === 'webhook') return GONE;
    if (claimed.mail_ct !== null)
      return media.sendMail(openMail(sealer, { org_id, id: claimed.id }, claimed.mail_ct), claimed.id);
    if (thread !== null && isShown(claimed, thread)) return SHOWN;
    if (target_kind === 'issue') return attemptIssue(org_id, claimed, thread);
    const place = await findRecipient(org_id, claimed);
    if (place === null) return GONE;
    const { slug } = await orgs.get(org_id);
    if (thread === null) {
      const event = await readEvent(org_id, claimed);
      const buttons = listAnalysisButtons(event, (id) => signButton('suppress', { org_id, id }));
      const notice = { message: describeNotice(event, slug), line: null, ref: null, buttons };
      return media[target_kind](org_id, place, { ...notice, ...identify(org_id, claimed) });
    }
    const sending: Sending = {
      message: describeThread(thread.accounts, slug, thread.handled),
      line: describeNews(claimed, thread),
      ref: thread.ref,
      buttons: listButtons(thread, (action_id) => signButton(action_id, { org_id, id: thread.id })),
      ...identify(org_id, claimed),
    };
    return media[target_kind](org_id, place, sending);
  }

  function identify(
    org_id: string,
    claimed: store.ClaimedDelivery,
  ): Pick<Sending, 'delivery_id'> & { posting: Posting } {
    const { id: delivery_id, posting_at: begun_at, attempts } = claimed;
    const begin = () => db.inOrg(org_id, (trx) => store.markPosting(trx, org_id, claimed, now()));
    return { delivery_id, posting: { begun_at, attempts, begin } };
  }

  async function readEvent(org_id: string, { event_id }: store.ClaimedDelivery) {
    return assertFound(await db.readInOrg(org_id, (read) => findEvent(read, org_id, event_id ?? '')));
  }

  /** Writes the issue of a schedule; a notice becomes a comment, if there is an issue. */
  async function attemptIssue(
    org_id: string,
    claimed: store.ClaimedDelivery,
    thread: threads.ClaimedThread | null,
  ): Promise<SendOutcome> {
    const { id: delivery_id, created_at } = claimed;
    const [schedule_id, webhook_config_id] = [claimed.schedule_id ?? '', claimed.webhook_config_id ?? ''];
    const key = `issue:${webhook_config_id}:${schedule_id}`;
    const { schedule, ref } = await db.inOrg(org_id, async (trx) => ({
      schedule: await findScheduleName(trx, org_id, schedule_id),
      ref: thread === null ? await threads.findRef(trx, org_id, key) : thread.ref,
    }));
    if (schedule === undefined) return DELETED;
    const number = ref === null ? null : Number(ref.id);
    const { slug } = await orgs.get(org_id);
    const common = { schedule_id, webhook_config_id, delivery_id, number, created_at };
    if (thread === null) {
      const comment = renderIssueNotice(describeNotice(await readEvent(org_id, claimed), slug), delivery_id);
      return issues.send(org_id, { ...common, content: null, comment, opened_at: created_at });
    }
    const line = describeNews(claimed, thread);
    const message = describeThread(thread.accounts, slug);
    return issues.send(org_id, {
      ...common,
      content: { ...renderIssue(message, schedule), is_open: !isResolved(thread) },
      comment: line === null ? null : renderIssueComment(line, delivery_id),
      opened_at: thread.opened_at,
    });
  }

  async function findRecipient(org_id: string, claimed: store.ClaimedDelivery): Promise<Place | null> {
    const { target_id: id, channel } = claimed;
    if (id === null) return { channel, addresses: [], url: null };
    const target = await db.readInOrg(org_id, (read) => findPlace(read, org_id, id));
    if (target?.enabled !== true) return null;
    const { addresses, url_ct } = target;
    return {
      channel: target.channel,
      addresses,
      url: url_ct === null ? null : openUrl(sealer, { org_id, id }, url_ct),
    };
  }

  /** Records the outcome, and when to try again. */
  async function conclude(
    org_id: string,
    { claimed, thread }: { claimed: store.ClaimedDelivery; thread: threads.ClaimedThread | null },
    outcome: SendOutcome,
    duration_ms: number,
  ): Promise<void> {
    const { id, attempts } = claimed;
    const at = now();
    const wait_ms = outcome.status === 'failed' ? waitAfter(attempts, random(), outcome.retry_after_ms) : null;
    const next_attempt_at = wait_ms === null ? null : new Date(at.getTime() + wait_ms);
    const ended = outcome.status === 'delivered' ? 'delivered' : 'failed';
    await db.inOrg(org_id, async (trx) => {
      const noted = await store.noteAttempt(trx, org_id, claimed, {
        status: next_attempt_at === null ? ended : 'pending',
        http_status: outcome.http_status,
        error: outcome.status === 'delivered' ? null : outcome.error,
        duration_ms,
        next_attempt_at,
        finished_at: next_attempt_at === null ? at : null,
        ...(outcome.status === 'failed' && outcome.is_unsure === true ? {} : { posting_at: null }),
      });
      if (thread !== null) await threads.releaseThread(trx, org_id, thread.id, toSent(thread, claimed, outcome));
      if (noted && next_attempt_at === null) await tellSchedule(trx, org_id, claimed, outcome);
      if (noted && next_attempt_at !== null) await enqueueDelivery(trx, { org_id, id }, next_attempt_at);
    });
  }

  async function tellSchedule(
    trx: Db,
    org_id: string,
    { schedule_id, webhook_config_id, channel }: store.ClaimedDelivery,
    outcome: SendOutcome,
  ): Promise<void> {
    const target = webhook_config_id ?? channel;
    if (schedule_id === null || target === null) return;
    if (outcome.status !== 'delivered') {
      await onScheduleNotified(trx, org_id, { schedule_id, target, error: outcome.error });
    } else if (outcome.is_skipped !== true) {
      await onScheduleNotified(trx, org_id, { schedule_id, target, error: null });
    }
  }

  /** Sends a delivery again that has ended. @throws NotFound; Conflict `delivery_pending`, `delivery_not_kept` */
  async function redeliver(org_id: string, id: string): Promise<NotificationDelivery> {
    return db.inOrg(org_id, async (trx) => {
      const { status, event_id, thread_id } = assertFound(await store.lockDelivery(trx, org_id, id));
      if (status === 'pending') {
        throw new Conflict('the delivery is not finished; wait until it is', 'delivery_pending');
      }
      if (event_id === null && thread_id === null) {
        const message = 'a test or an invitation is not stored, so it cannot be delivered again; send another one';
        throw new Conflict(message, 'delivery_not_kept');
      }
      await store.reopen(trx, org_id, id, now());
      await enqueueDelivery(trx, { org_id, id });
      return assertFound(await store.findDelivery(trx, org_id, id));
    });
  }

  /** One page of deliveries, newest first. */
  async function list(org_id: string, filter: store.DeliveryFilter, page: { limit: number; offset: number }) {
    return db.inOrg(org_id, (trx) => store.listDeliveries(trx, org_id, filter, page));
  }

  /** Queues deliveries again that the queue has lost. */
  async function requeueLost(): Promise<void> {
    const lost = new Date(now().getTime() - LEASE_MS);
    for (const { org_id, id } of await store.listDue(platform_db, lost, REQUEUED_AT_ONCE)) {
      await db.inOrg(org_id, async (trx) => {
        if (await store.makeDue(trx, org_id, id, now())) await enqueueDelivery(trx, { org_id, id });
      });
    }
  }

  return { sendDue, redeliver, list, requeueLost };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
