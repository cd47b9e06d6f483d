import type { ChatApp } from '../../adapters/slack/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { ChatError, isTokenGone } from '../../lib/chat-error.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { SlackCommand, SlackEvent, SlackPress } from '../../lib/slack-request.ts';
import type { JobPayload } from '../../queue/index.ts';
import type { Answers } from './answer-service.ts';
import { renderLine, type SlackText } from './posture-blocks.ts';
import * as requests from './requests-store.ts';
import { openBody } from './seals.ts';
import type { OpenedWorkspace, Workspaces } from './workspace-service.ts';

const LEASE_MS = 60_000;
const MOST_ATTEMPTS = 5;
const LOST_AFTER_MS = 60_000;
const REQUEUED_AT_ONCE = 200;
/** Slack repeats a request within an hour; after a day nobody waits for an answer. */
const KEPT_MS = 86_400_000;

export interface HandlingDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'sealer' | 'log' | 'now'> {
  app: Pick<ChatApp, 'respond'> | null;
  workspaces: Pick<Workspaces, 'open' | 'status' | 'forget'>;
  answers: Answers;
  /** Queues a request once `trx` has committed. */
  enqueueRequest: (trx: Db, payload: JobPayload) => Promise<void>;
}

/** Works on what people did in Slack, after Slack got its response. */
export function createHandling(deps: HandlingDeps) {
  const { db, platform_db, sweep_db, sealer, app, workspaces, answers, enqueueRequest, log, now } = deps;

  /** Works on a stored request. @throws any error that a retry can resolve */
  async function handle({ org_id, id }: JobPayload): Promise<void> {
    const at = now();
    const until = new Date(at.getTime() + LEASE_MS);
    const claimed = await db.inOrg(org_id, (trx) => requests.claimRequest(trx, org_id, id, { now: at, until }));
    if (claimed === undefined) return;
    const settle = (end: Parameters<typeof requests.settleRequest>[3]) =>
      db.inOrg(org_id, (trx) => requests.settleRequest(trx, org_id, claimed, end));
    try {
      await work(org_id, claimed);
      await settle({ status: 'done', finished_at: now() });
    } catch (error) {
      const is_over = claimed.attempts >= MOST_ATTEMPTS || (error instanceof ChatError && error.is_final);
      await settle(is_over ? { status: 'failed', finished_at: now() } : null);
      if (!is_over) throw error;
      log.warn({ err: error, org_id }, 'a request of Slack was not answered');
      if (error instanceof ChatError && isTokenGone(error.code)) await workspaces.forget(org_id, at);
    }
  }

  async function work(org_id: string, { id, kind, team_id, body_ct }: requests.ClaimedRequest): Promise<void> {
    const content: unknown = openBody(sealer, { org_id, id }, body_ct);
    if (kind === 'event') return workOnEvent(org_id, team_id, content as SlackEvent);
    const opened = await openTeam(org_id, team_id);
    if (opened === undefined) return;
    const asked = content as SlackCommand | SlackPress;
    await app?.respond(asked.response_url, await answer(org_id, opened, asked));
  }

  async function answer(org_id: string, opened: OpenedWorkspace, asked: SlackCommand | SlackPress): Promise<SlackText> {
    if (!('action_id' in asked)) return answers.answerCommand(org_id, opened, asked);
    if (asked.action_id === 'rescan') return answers.answerPress(org_id, opened, asked);
    return renderLine('This button no longer works.');
  }

  async function workOnEvent(org_id: string, team_id: string, event: SlackEvent): Promise<void> {
    if (event.type !== 'app_home_opened') {
      const { installation } = await workspaces.status(org_id);
      const is_ended = event.is_bot_token && installation?.team_id === team_id;
      if (is_ended) await workspaces.forget(org_id, new Date(event.event_time * 1_000));
      return;
    }
    const opened = await openTeam(org_id, team_id);
    if (opened === undefined || event.user_id === null) return;
    const { blocks } = await answers.composeHome(org_id, opened, event.user_id);
    await opened.workspace.publishHome(event.user_id, blocks);
  }

  /** The organization may have changed its workspace since the request. */
  async function openTeam(org_id: string, team_id: string): Promise<OpenedWorkspace | undefined> {
    const opened = await workspaces.open(org_id);
    return opened?.installation.team_id === team_id ? opened : undefined;
  }

  /** Queues requests again that the queue has lost. */
  async function requeueLost(): Promise<void> {
    const at = now();
    const range = { created_before: new Date(at.getTime() - LOST_AFTER_MS), now: at };
    for (const lost of await requests.listLost(platform_db, range, REQUEUED_AT_ONCE)) {
      await db.inOrg(lost.org_id, (trx) => enqueueRequest(trx, lost));
    }
  }

  async function deleteOld(): Promise<void> {
    const before = new Date(now().getTime() - KEPT_MS);
    await inBatches((limit) => requests.deleteOld(sweep_db, before, limit));
  }

  return { handle, requeueLost, deleteOld };
}

export type Handling = ReturnType<typeof createHandling>;
