import { LRUCache } from 'lru-cache';
import type { ChatFailure, ChatSender } from '../../adapters/slack/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';

/** Organizations whose waits are remembered. */
const MOST_ORGS = 10_000;

/**
 * Calls no workspace while it has asked to wait, also for other messages than the one that it rejected: each further call
 * would prolong the wait.
 */
export function createSlackPace({ now }: Pick<ServiceDeps, 'now'>) {
  /** Ends of waits, in milliseconds since the epoch. */
  const waits = new LRUCache<string, number>({ max: MOST_ORGS });

  /** The workspace of an organization; its calls are answered here while it waits. */
  return function pace(org_id: string, chat: ChatSender): ChatSender {
    async function call<Found extends { ok: true }>(
      key: string,
      send: () => Promise<Found | ChatFailure>,
    ): Promise<Found | ChatFailure> {
      const wait_ms = (waits.get(key) ?? 0) - now().getTime();
      if (wait_ms > 0) return toWaiting(wait_ms);
      const result = await send();
      if (!result.ok && result.retry_after_ms !== null) waits.set(key, now().getTime() + result.retry_after_ms);
      return result;
    }

    return {
      post: (channel, message, thread, delivery_id) =>
        call(org_id, () => chat.post(channel, message, thread, delivery_id)),
      update: (ref, message) => call(org_id, () => chat.update(ref, message)),
      // Slack counts what is read on its own, and allows less of it.
      find: (channel, thread, sought) => call(`${org_id} find`, () => chat.find(channel, thread, sought)),
    };
  };
}

function toWaiting(retry_after_ms: number): ChatFailure {
  return { ok: false, code: 'rate_limited', error: 'Slack asked to wait', is_final: false, retry_after_ms };
}
