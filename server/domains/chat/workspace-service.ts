import type { ChatApp, ChatFailure, ChatSender, WorkspaceChannel } from '../../adapters/slack/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { ChatError, isTokenGone } from '../../lib/chat-error.ts';
import { NotFound, ServiceError, Unavailable } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { expiry } from './install-service.ts';
import { openTokens, type StoredTokens, sealTokens } from './seals.ts';
import * as store from './store.ts';
import type { ChatInstallation, ChatStatus, OpenedWorkspace } from './types.ts';

/** A token is exchanged this long before it expires, so that no message starts with one that ends meanwhile. */
const REFRESH_BEFORE_MS = 30 * 60_000;
const REFRESH_LEASE_MS = 60_000;
const RENEWING_MS = 5_000;
/** To read the messages of public and of private channels. A workspace can decline them. */
const HISTORY_SCOPES = ['channels:history', 'groups:history'];

export interface WorkspacesDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'log' | 'now'> {
  app: ChatApp | null;
  /** The workspace of the deployment, for organizations without their own; null if it has none. */
  deployment_chat: ChatSender | null;
  audit: AuditWriter;
}

export function createWorkspaces({ db, sealer, app, deployment_chat, audit, log, now }: WorkspacesDeps) {
  async function status(org_id: string): Promise<ChatStatus> {
    const installation = await db.readInOrg(org_id, (read) => store.findInstallation(read, org_id));
    return { available: app !== null, installation: installation ?? null };
  }

  /**
   * The workspace of an organization, with a token that is valid for some time.
   *
   * @returns undefined if it has none, or this deployment has no app
   * @throws ChatError if the token has to be exchanged and Slack does not do it
   */
  async function open(org_id: string): Promise<OpenedWorkspace | undefined> {
    const found = await db.readInOrg(org_id, (read) => store.findInstallation(read, org_id));
    if (found === undefined || app === null) return undefined;
    const tokens = openTokens(sealer, { org_id, id: found.id }, found.token_ct);
    const access_token = await renew(app, org_id, found, tokens);
    return { installation: found, workspace: app.open(access_token) };
  }

  /**
   * Exchanges an expiring token, in one process at a time, because the refresh token works once. The others use the old
   * token while it is valid, and try again later if it is not.
   */
  async function renew(
    app: ChatApp,
    org_id: string,
    { id, token_expires_at }: ChatInstallation,
    { access_token, refresh_token }: StoredTokens,
  ): Promise<string> {
    const at = now();
    if (refresh_token === null || token_expires_at === null) return access_token;
    if (token_expires_at.getTime() - at.getTime() > REFRESH_BEFORE_MS) return access_token;
    const claim = { token_expires_at, now: at, until: new Date(at.getTime() + REFRESH_LEASE_MS) };
    if (!(await db.inOrg(org_id, (trx) => store.claimRefresh(trx, org_id, id, claim)))) {
      if (token_expires_at > at) return access_token;
      const wait = { code: 'renewing', is_final: false, retry_after_ms: RENEWING_MS };
      throw new ChatError('the token of the app is being renewed; try again', wait);
    }
    const tokens = await app.refresh(refresh_token);
    const fields = {
      token_ct: sealTokens(sealer, { org_id, id }, tokens),
      token_expires_at: expiry(tokens, at),
    };
    await db.inOrg(org_id, (trx) => store.updateInstallation(trx, org_id, id, fields));
    return tokens.access_token;
  }

  /** Where messages of an organization go, and whether their buttons come back: its own workspace, or that of the deployment; null if there is neither. */
  async function openChat(org_id: string): Promise<(ChatSender & { has_buttons: boolean }) | null> {
    const { installation } = await status(org_id);
    if (installation === null || app === null) {
      return deployment_chat === null ? null : { ...deployment_chat, has_buttons: false };
    }
    const send = async <Found extends { ok: true }>(
      use: (sender: ChatSender) => Promise<Found | ChatFailure>,
    ): Promise<Found | ChatFailure> => {
      const began_at = now();
      const result = await withSender(org_id, use);
      if (!result.ok && isTokenGone(result.code)) await forget(org_id, began_at);
      return result;
    };
    return {
      has_buttons: true,
      post: (channel, message, thread, delivery_id) =>
        send((sender) => sender.post(channel, message, thread, delivery_id)),
      update: (ref, message) => send((sender) => sender.update(ref, message)),
      async find(channel, thread, sought) {
        if (!HISTORY_SCOPES.some((scope) => installation.scopes.includes(scope))) return { ok: true, ref: null };
        return send((sender) => sender.find(channel, thread, sought));
      },
    };
  }

  async function withSender<Found extends { ok: true }>(
    org_id: string,
    use: (sender: ChatSender) => Promise<Found | ChatFailure>,
  ): Promise<Found | ChatFailure> {
    try {
      const opened = await open(org_id);
      if (opened !== undefined) return await use(opened.workspace.sender);
      const error = 'no Slack workspace is connected; connect one and deliver again';
      return { ok: false, code: 'not_authed', error, is_final: true, retry_after_ms: null };
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      const { code, message, is_final, retry_after_ms } = error;
      return { ok: false, code, error: message, is_final, retry_after_ms };
    }
  }

  /** One page of channels. @throws NotFound without a workspace; ServiceError 502 `chat_backend_error`; Unavailable */
  async function listChannels(
    org_id: string,
    { q, cursor }: { q?: string | undefined; cursor?: string | undefined },
  ): Promise<{ channels: WorkspaceChannel[]; next_cursor: string | null }> {
    const began_at = now();
    try {
      const opened = await open(org_id);
      if (opened === undefined) throw new NotFound();
      const page = await opened.workspace.listChannels(cursor ?? null);
      const name_part = (q ?? '').toLowerCase().replace(/^#/, '');
      return { ...page, channels: page.channels.filter(({ name }) => name.toLowerCase().includes(name_part)) };
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      if (isTokenGone(error.code)) await forget(org_id, began_at);
      throw toServiceError(error);
    }
  }

  /** Removes the workspace; Slack is asked to revoke the token, but its answer changes nothing. */
  async function uninstall({ user }: Principal, org_id: string): Promise<boolean> {
    const removed = await remove(org_id, user.email, now());
    if (removed === undefined) return false;
    try {
      await app?.open(removed.access_token).revoke();
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      log.warn({ err: error, org_id }, 'the token of a removed Slack workspace was not revoked');
    }
    return true;
  }

  /**
   * Removes a workspace that Slack has ended by a time. One that a person has connected since stays: Slack's events can be
   * late, and a call can have used the token of before.
   */
  async function forget(org_id: string, ended_at: Date): Promise<void> {
    await remove(org_id, '', ended_at);
  }

  async function remove(org_id: string, actor_email: string, at: Date): Promise<StoredTokens | undefined> {
    const deleted = await db.inOrg(org_id, (trx) => store.deleteInstallation(trx, org_id, at));
    if (deleted === undefined) return undefined;
    const { id, team_id, team_name, token_ct } = deleted;
    await audit.record({ action: 'chat.uninstalled', org_id, actor_email, detail: { team_id, team_name } });
    return openTokens(sealer, { org_id, id }, token_ct);
  }

  return { status, open, openChat, listChannels, uninstall, forget };
}

export type Workspaces = ReturnType<typeof createWorkspaces>;

function toServiceError(error: ChatError): ServiceError {
  if (!error.is_final) return new Unavailable(`${error.message}; try again`, { cause: error });
  return new ServiceError(502, 'chat_backend_error', error.message, {}, { cause: error });
}
