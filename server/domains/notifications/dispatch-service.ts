import { compareLevels, type RiskLevel } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { insertPending } from './deliveries-store.ts';
import type { Step } from './episode.ts';
import type { StoredEvent } from './events-store.ts';
import { planIssue } from './issue-thread.ts';
import { findSendTime, type SendingHours } from './send-time.ts';
import { findLevel, isResolved, planThread, type ThreadPlan } from './thread.ts';
import * as threads from './threads-store.ts';
import type { AccountDrift, DeliveryAction, EventType, Route } from './types.ts';

export interface DispatchDeps extends Pick<ServiceDeps, 'now'> {
  webhooks: Pick<Webhooks['outbound'], 'queue'>;
  /** Queues a delivery for `at` or later, once `trx` has committed. */
  enqueueDelivery: (trx: Db, payload: { org_id: string; id: string }, at?: Date) => Promise<void>;
}

/** An event with its organization while it is decided. */
export interface EventContext {
  org: { id: string; slug: string };
  event: StoredEvent;
  hours: SendingHours;
}

export interface Decided {
  type: EventType;
  data: Readonly<Record<string, unknown>>;
}

interface Queued {
  type: EventType;
  action: DeliveryAction;
  /** Null for a message that no digest collects. */
  level: RiskLevel | null;
  thread_id: string | null;
  revision: number | null;
  cloud_account_id: string | null;
}

/** Writes the deliveries of an event, in the transaction that decides it. */
export function createDispatch({ webhooks, enqueueDelivery, now }: DispatchDeps) {
  /** Sends an event to a server, unless its level is too low. That drift is gone is never too little. */
  async function sendWebhook(
    trx: Db,
    { org, event }: EventContext,
    route: Route,
    { type, data }: Decided,
  ): Promise<void> {
    const level = 'risk_level' in data ? (data.risk_level as RiskLevel) : null;
    const is_minor = level !== null && compareLevels(level, route.min_level) < 0;
    if (route.webhook_config_id === null || (is_minor && type !== 'drift.resolved')) return;
    const { created_at } = event;
    await webhooks.queue(trx, org.id, route.webhook_config_id, { id: `evt_${event.id}`, type, created_at, org, data });
  }

  /** Continues the message about an account, or starts one. */
  async function sendStep(
    trx: Db,
    context: EventContext,
    route: Route,
    { type, ...change }: { type: EventType; step: Step; account: AccountDrift; is_silent: boolean },
  ): Promise<void> {
    const { account } = change;
    const open = await threads.lockOpen(trx, context.org.id, route.key);
    const seen = { ...change, at: context.event.created_at };
    const plan = route.kind === 'issue' ? planIssue(open[0], seen) : planThread(open, route, seen);
    if (plan === null) return;
    const { thread_id, revision } = await saveThread(trx, context.org.id, route, plan);
    if (plan.action === null) return;
    const { cloud_account_id } = account;
    const shown = { thread_id, revision, cloud_account_id, level: findLevel(plan.thread) };
    const event = route.kind === 'issue' ? nameState(account) : type;
    await queue(trx, context, route, { type: event, action: plan.action, ...shown });
  }

  async function saveThread(trx: Db, org_id: string, { key: route_key, kind }: Route, { thread }: ThreadPlan) {
    const { id, accounts, opened_at } = thread;
    if (id === null) {
      const thread_id = newId();
      await threads.insertThread(trx, org_id, { id: thread_id, route_key, opened_at, accounts });
      return { thread_id, revision: 1 };
    }
    const resolved_at = isResolved(thread) && kind !== 'issue' ? now() : null;
    return { thread_id: id, revision: await threads.updateThread(trx, org_id, id, { accounts, resolved_at }) };
  }

  /** Sends a message of its own. */
  async function sendNotice(trx: Db, context: EventContext, route: Route, type: EventType): Promise<void> {
    const nothing = { thread_id: null, revision: null, cloud_account_id: null };
    await queue(trx, context, route, { type, action: 'notice', level: null, ...nothing });
  }

  async function queue(
    trx: Db,
    { org, event, hours }: EventContext,
    route: Route,
    { type, level, ...rest }: Queued,
  ): Promise<void> {
    const [id, at] = [newId(), now()];
    const next_attempt_at = findSendTime(hours, at, level);
    const delivery = { id, event_id: event.id, event: type, created_at: at, next_attempt_at, ...rest };
    await insertPending(trx, org.id, route, delivery);
    await enqueueDelivery(trx, { org_id: org.id, id }, next_attempt_at);
  }

  return { sendWebhook, sendStep, sendNotice };
}

/** What an issue shows, also if another schedule has seen it before. */
function nameState({ status }: AccountDrift): EventType {
  return status === 'open' ? 'drift.detected' : 'drift.resolved';
}

export type Dispatch = ReturnType<typeof createDispatch>;
