import type { SlackInbox } from '../../adapters/slack/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { ChatError, isTokenGone } from '../../lib/chat-error.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { JobPayload } from '../../queue/index.ts';
import * as requests from './requests-store.ts';
import { openBody } from './seals.ts';
import type { Workspaces } from './workspace-service.ts';

const LEASE_MS = 60_000;
const MOST_ATTEMPTS = 5;
const LOST_AFTER_MS = 60_000;
const REQUEUED_AT_ONCE = 200;
/** Slack repeats a request within an hour; after a day nobody waits for an answer. */
const KEPT_MS = 86_400_000;

export interface HandlingDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'sealer' | 'log' | 'now'> {
  /** Calls the listener of a request; null if the deployment has no app. */
  inbox: SlackInbox | null;
  workspaces: Pick<Workspaces, 'forget'>;
  /** Queues requests once `trx` has committed. */
  enqueueRequests: (trx: Db, org_id: string, ids: readonly string[]) => Promise<void>;
}

/** Works on what people did in Slack, after Slack got its response. */
export function createHandling(deps: HandlingDeps) {
  const { db, platform_db, sweep_db, sealer, inbox, workspaces, enqueueRequests, log, now } = deps;

  /** Works on a stored request. @throws any error that a retry can resolve */
  async function handle({ org_id, id }: JobPayload): Promise<void> {
    const at = now();
    const until = new Date(at.getTime() + LEASE_MS);
    const claimed = await db.inOrg(org_id, (trx) => requests.claimRequest(trx, org_id, id, { now: at, until }));
    if (claimed === undefined) return;
    const settle = (end: Parameters<typeof requests.settleRequest>[3]) =>
      db.inOrg(org_id, (trx) => requests.settleRequest(trx, org_id, claimed, end));
    try {
      const body = openBody(sealer, { org_id, id }, claimed.body_ct);
      await inbox?.process({ org_id, body });
      await settle({ status: 'done', finished_at: now() });
    } catch (error) {
      const is_over = claimed.attempts >= MOST_ATTEMPTS || (error instanceof ChatError && error.is_final);
      await settle(is_over ? { status: 'failed', finished_at: now() } : null);
      if (!is_over) throw error;
      log.warn({ err: error, org_id }, 'a request of Slack was not answered');
      if (error instanceof ChatError && isTokenGone(error.code)) await workspaces.forget(org_id, at);
    }
  }

  /** Queues requests again that the queue has lost. */
  async function requeueLost(): Promise<void> {
    const at = now();
    const range = { created_before: new Date(at.getTime() - LOST_AFTER_MS), now: at };
    for (const lost of await requests.listLost(platform_db, range, REQUEUED_AT_ONCE)) {
      await db.inOrg(lost.org_id, (trx) => enqueueRequests(trx, lost.org_id, [lost.id]));
    }
  }

  async function deleteOld(): Promise<void> {
    const before = new Date(now().getTime() - KEPT_MS);
    await inBatches((limit) => requests.deleteOld(sweep_db, before, limit));
  }

  return { handle, requeueLost, deleteOld };
}

export type Handling = ReturnType<typeof createHandling>;
