import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { RequestKind } from '../../lib/slack-request.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import type { ReceivedHeaders } from '../webhooks/index.ts';
import { confirmPage } from './confirm-page.ts';
import type { SlackReception, SlackReply } from './receive-service.ts';
import type { Chat } from './service.ts';
import type { ChatStatus } from './types.ts';

type ChatOperations =
  | 'createChatInstallUrl'
  | 'getChatStatus'
  | 'listChatChannels'
  | 'deleteChatInstallation'
  | 'completeChatInstallation'
  | 'confirmChatInstallation'
  | 'receiveSlackEvent'
  | 'receiveSlackCommand'
  | 'receiveSlackInteraction';

/** Set with the confirmation page and sent with its form: only to this host, and only from its own pages. */
const COOKIE = '__Host-dpa-chat';
const COOKIE_ATTRIBUTES = 'Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Strict';

/** `attachment` of the request stores it. */
export function chatBodyReaders({ receiver }: Pick<Chat, 'receiver'>) {
  const read =
    (kind: RequestKind) =>
    async ({ headers }: { headers: ReceivedHeaders }) => {
      const { update, end }: SlackReception = receiver.open(kind, headers);
      return { update, end: async (raw: Buffer) => ({ body: {}, attachment: end(raw) }) };
    };
  return {
    receiveSlackEvent: read('event'),
    receiveSlackCommand: read('command'),
    receiveSlackInteraction: read('interaction'),
  };
}

export function chatRoutes(
  { callback, workspaces }: Chat,
  { app_url, api_url }: BaseUrls,
): Pick<Handlers, ChatOperations> {
  return {
    async createChatInstallUrl({ principal, org }) {
      const { authorize_url, state_expires_at } = await callback.installUrl(principal, org.id);
      return { status: 200, body: { authorize_url, state_expires_at: state_expires_at.toISOString() } };
    },

    async getChatStatus({ org }) {
      return { status: 200, body: statusRecord(await workspaces.status(org.id)) };
    },

    async listChatChannels({ org, query: { q, cursor } }) {
      const { channels, next_cursor } = await workspaces.listChannels(org.id, { q, cursor });
      const body = {
        channels: channels.map((channel) => pickFields(channel, ['id', 'name', 'is_private', 'is_member'])),
        next_cursor,
      };
      return { status: 200, body };
    },

    async deleteChatInstallation({ principal, org }) {
      return { status: 200, body: { uninstalled: await workspaces.uninstall(principal, org.id) } };
    },

    async completeChatInstallation({ query }) {
      const end = await callback.complete(query);
      if ('location' in end) return { status: 302, headers: { Location: end.location } };
      const headers = { 'Set-Cookie': `${COOKIE}=${end.prompt.browser}; ${COOKIE_ATTRIBUTES}` };
      return { status: 200, body: confirmPage(end.prompt, app_url ?? api_url), headers };
    },

    async confirmChatInstallation({ body, cookies }) {
      return { status: 303, headers: { Location: await callback.decide({ ...body, browser: cookies[COOKIE] }) } };
    },

    receiveSlackEvent: received,
    receiveSlackCommand: received,
    receiveSlackInteraction: received,
  };
}

async function received({ attachment }: { attachment: unknown }) {
  const body = await (attachment as () => Promise<SlackReply>)();
  return { status: 200 as const, body };
}

function statusRecord({ available, installation }: ChatStatus) {
  if (installation === null) return { available, installed: false, created_at: null, scopes: [] };
  const { created_at, scopes, team_id, team_name } = installation;
  return { available, installed: true, created_at: created_at.toISOString(), scopes, team_id, team_name };
}
