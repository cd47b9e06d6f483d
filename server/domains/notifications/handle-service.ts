import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { insertPending } from './deliveries-store.ts';
import type { Step } from './episode.ts';
import { lockEpisode, type StoredEpisode } from './episodes-store.ts';
import { compareItems, type SnapshotFacts } from './facts-store.ts';
import { addHandled, type Handled, isSnoozed, isWorseThanSnoozed, snoozeEnd } from './handled.ts';
import * as store from './handled-store.ts';
import { keepsMessage } from './thread.ts';
import type { AccountDrift } from './types.ts';

export interface HandlingDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  enqueueDelivery: (trx: Db, payload: { org_id: string; id: string }, at?: Date) => Promise<void>;
}

/** What pressing a button did: something, nothing because somebody was first, or nothing because the drift is gone. */
export type HandledOutcome =
  | { outcome: 'done'; at: Date; cloud_account_ids: string[] }
  | { outcome: 'before'; at: Date; by: string }
  | { outcome: 'gone' };

/** Something that is done at most once for the drift of an account. */
interface Deed {
  at: Date;
  entry: Pick<Handled, 'action' | 'until'>;
  /** Who did it before; null if nobody. */
  findFirst: (attention: store.Attention) => { by: string; at: Date } | null;
  toAttention: (episode: StoredEpisode) => Partial<store.Attention>;
}

const CALM = {
  ...{ snoozed_until: null, snoozed_by: null, snoozed_level: null, snoozed_items_id: null },
  ...{ acknowledged_at: null, acknowledged_by: null },
};

/** What people do about drift from its messages. */
export function createHandling({ db, enqueueDelivery, now }: HandlingDeps) {
  /**
   * Silences the drift that a message tells of for seven days, at all targets, unless it becomes worse.
   *
   * @param by the display name of the person
   * @returns `at`: when the snooze ends
   */
  async function snooze(org_id: string, thread_id: string, by: string): Promise<HandledOutcome> {
    const at = now();
    const until = snoozeEnd(at);
    return attend(org_id, thread_id, by, {
      at: until,
      entry: { action: 'snoozed', until: until.toISOString() },
      findFirst: ({ snoozed_until, snoozed_by }) =>
        snoozed_until !== null && snoozed_until > at ? { by: snoozed_by ?? '', at: snoozed_until } : null,
      toAttention: ({ risk_level, items_id }) => ({
        ...{ snoozed_until: until, snoozed_by: by, snoozed_level: risk_level, snoozed_items_id: items_id },
      }),
    });
  }

  /** Says that somebody has seen the drift that a message tells of. @returns `at`: when it was acknowledged */
  async function acknowledge(org_id: string, thread_id: string, by: string): Promise<HandledOutcome> {
    const at = now();
    return attend(org_id, thread_id, by, {
      at,
      entry: { action: 'acknowledged', until: null },
      findFirst: ({ acknowledged_at, acknowledged_by }) =>
        acknowledged_at === null ? null : { by: acknowledged_by ?? '', at: acknowledged_at },
      toAttention: () => ({ acknowledged_at: at, acknowledged_by: by }),
    });
  }

  /** Does something once for each account, whoever presses the button, and however often. */
  async function attend(org_id: string, thread_id: string, by: string, deed: Deed): Promise<HandledOutcome> {
    return db.inOrg(org_id, async (trx) => {
      const accounts = listOpen(await store.findOpenThread(trx, org_id, thread_id));
      const done: string[] = [];
      let first: { by: string; at: Date } | null = null;
      // In one order, so that two people never wait for each other.
      for (const id of accounts.map(({ cloud_account_id }) => cloud_account_id).sort()) {
        const episode = await lockEpisode(trx, org_id, id);
        const earlier = deed.findFirst(await store.findAttention(trx, org_id, id));
        first ??= earlier;
        if (earlier !== null) continue;
        await store.saveAttention(trx, org_id, id, deed.toAttention(episode));
        done.push(id);
      }
      if (done.length === 0) return first === null ? { outcome: 'gone' } : { outcome: 'before', ...first };
      await note(trx, org_id, done, { ...deed.entry, by, what: '' });
      return { outcome: 'done', at: deed.at, cloud_account_ids: done };
    });
  }

  /** The accounts whose drift a message tells of; empty if it is gone. */
  async function listAccounts(org_id: string, thread_id: string): Promise<AccountDrift[]> {
    return listOpen(await db.readInOrg(org_id, (read) => store.findOpenThread(read, org_id, thread_id)));
  }

  /** Shows in all messages about these accounts what somebody did. */
  async function show(
    org_id: string,
    cloud_account_ids: readonly string[],
    entry: Pick<Handled, 'action' | 'by' | 'until' | 'what'>,
  ): Promise<void> {
    await db.inOrg(org_id, (trx) => note(trx, org_id, cloud_account_ids, entry));
  }

  async function note(
    trx: Db,
    org_id: string,
    cloud_account_ids: readonly string[],
    entry: Pick<Handled, 'action' | 'by' | 'until' | 'what'>,
  ): Promise<void> {
    const at = now();
    for (const thread of await store.lockThreads(trx, org_id, cloud_account_ids)) {
      const handled = addHandled(thread.handled, { ...entry, at: at.toISOString() });
      const revision = await store.saveHandled(trx, org_id, thread.id, handled);
      const place = await store.findThreadPlace(trx, org_id, thread.id);
      if (place === undefined || !keepsMessage(place.kind)) continue;
      const id = newId();
      const shown = { thread_id: thread.id, revision, cloud_account_id: cloud_account_ids[0] ?? null };
      const delivery = { id, event_id: null, event: 'drift.detected', action: 'update' as const, ...shown };
      await insertPending(trx, org_id, place, { ...delivery, created_at: at, next_attempt_at: at });
      await enqueueDelivery(trx, { org_id, id }, at);
    }
  }

  /**
   * Whether people are not to hear of a step, because somebody snoozed the drift. Drift that is worse than it was then
   * ends the snooze, and drift that opens or ends starts anew.
   *
   * @param trx holds the lock of the account's episode
   */
  async function silences(
    trx: Db,
    org_id: string,
    { cloud_account_id, items_id, risk_level }: Pick<SnapshotFacts, 'cloud_account_id' | 'items_id' | 'risk_level'>,
    step: Step,
  ): Promise<boolean> {
    const attention = await store.findAttention(trx, org_id, cloud_account_id);
    const is_silent = isSnoozed(attention, now());
    if (step === 'opened' || step === 'resolved') {
      await store.saveAttention(trx, org_id, cloud_account_id, CALM);
      return step === 'resolved' && is_silent;
    }
    if (!is_silent) return false;
    const since_snoozed = await compareItems(trx, org_id, items_id, attention.snoozed_items_id);
    if (!isWorseThanSnoozed(attention, step, { ...since_snoozed, risk_level })) return true;
    const { acknowledged_at, acknowledged_by } = attention;
    await store.saveAttention(trx, org_id, cloud_account_id, { ...CALM, acknowledged_at, acknowledged_by });
    await note(trx, org_id, [cloud_account_id], { action: 'woken', by: null, until: null, what: '' });
    return false;
  }

  return { snooze, acknowledge, listAccounts, show, silences };
}

export type Handling = ReturnType<typeof createHandling>;

function listOpen(thread: store.OpenThread | undefined): AccountDrift[] {
  return (thread?.accounts ?? []).filter(({ status }) => status === 'open');
}
