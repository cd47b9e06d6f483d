/** The deployment's own Slack app, which organizations install in their workspaces. */
import { z } from 'zod';
import { ChatError } from '../../lib/chat-error.ts';
import { createInbox } from './bolt.ts';
import { createSlackCaller, toSender } from './index.ts';
import type { ChatApp, ChatTokens, Workspace, WorkspaceGrant } from './types.ts';

/** @see docs/slack-app-manifest.json, which lists the same scopes */
export const SLACK_SCOPES = [
  'chat:write',
  'chat:write.public',
  'channels:read',
  'groups:read',
  'commands',
  'links:read',
  'links:write',
  'users:read',
  'users:read.email',
  'channels:history',
  'groups:history',
];
const CHANNELS_PER_PAGE = 200;
const TIMEOUT_MS = 10_000;

const TOKENS = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive().optional(),
});
const GRANT = TOKENS.extend({
  team: z.object({ id: z.string().min(1), name: z.string() }).nullish(),
  enterprise: z.object({ id: z.string().min(1) }).nullish(),
  is_enterprise_install: z.boolean().optional(),
  bot_user_id: z.string().min(1),
  scope: z.string().default(''),
});
const CHANNELS = z.object({
  channels: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      is_private: z.boolean().default(false),
      is_member: z.boolean().default(false),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
const PERSON = z.object({
  user: z.object({
    team_id: z.string().optional(),
    deleted: z.boolean().default(false),
    is_bot: z.boolean().default(false),
    is_email_confirmed: z.boolean().default(true),
    enterprise_user: z.object({ enterprise_id: z.string() }).nullish(),
    profile: z.object({ email: z.string().optional() }).default({}),
  }),
});

export interface SlackAppOptions {
  client_id: string;
  client_secret: string;
  /** Base URL of the Web API. */
  api_url: string;
  /** Where Slack sends people back; null = the first one that the app is configured with. */
  redirect_uri: string | null;
}

export function createSlackApp({ client_id, client_secret, api_url, redirect_uri }: SlackAppOptions): ChatApp {
  const call = createSlackCaller({ api_url });
  const client = { client_id, client_secret };
  const redirect = redirect_uri === null ? {} : { redirect_uri };

  function authorizeUrl(state: string): string {
    const query = new URLSearchParams({ client_id, scope: SLACK_SCOPES.join(','), ...redirect, state });
    return `${new URL('/oauth/v2/authorize', api_url)}?${query}`;
  }

  async function exchange(code: string): Promise<WorkspaceGrant> {
    const grant = read(GRANT, await call('oauth.v2.access', { ...client, code, ...redirect }));
    return {
      team_id: grant.team?.id ?? '',
      team_name: grant.team?.name ?? '',
      enterprise_id: grant.enterprise?.id ?? null,
      is_enterprise_install: grant.is_enterprise_install === true || !grant.team,
      bot_user_id: grant.bot_user_id,
      scopes: grant.scope.split(',').filter((scope) => scope !== ''),
      tokens: toTokens(grant),
    };
  }

  async function refresh(refresh_token: string): Promise<ChatTokens> {
    const options = { ...client, grant_type: 'refresh_token', refresh_token };
    return toTokens(read(TOKENS, await call('oauth.v2.access', options)));
  }

  /** Only Slack's own host is called, although Slack has signed the URL. */
  async function respond(response_url: string, { text, blocks }: { text: string; blocks: readonly object[] }) {
    const { origin } = URL.canParse(response_url) ? new URL(response_url) : { origin: '' };
    const { origin: own, host } = new URL(api_url);
    if (origin !== `https://hooks.${host}` && origin !== own) return;
    const body = JSON.stringify({ response_type: 'ephemeral', replace_original: false, text, blocks });
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(response_url, { method: 'POST', headers, body, signal, redirect: 'error' }).catch(
      (cause: unknown) => fail('unreachable', 'Slack could not be reached', cause),
    );
    await answer.body?.cancel();
    if (answer.status >= 500) fail('unreachable', `Slack answered with status ${answer.status}`);
  }

  return {
    authorizeUrl,
    exchange,
    refresh,
    respond,
    listen: createInbox,
    open: (token) => openWorkspace({ token, api_url }),
  };
}

function openWorkspace({ token, api_url }: { token: string; api_url: string }): Workspace {
  const call = createSlackCaller({ token, api_url });
  return {
    sender: toSender(call),
    async listChannels(cursor, limit = CHANNELS_PER_PAGE) {
      const where = { types: 'public_channel,private_channel', exclude_archived: true, limit };
      const page = cursor === null ? where : { ...where, cursor };
      const { channels, response_metadata } = read(CHANNELS, await call('conversations.list', page));
      return { channels, next_cursor: response_metadata?.next_cursor || null };
    },
    async findPerson(user_id) {
      const { user } = read(PERSON, await call('users.info', { user: user_id }));
      return {
        email: user.is_email_confirmed ? (user.profile.email?.toLowerCase() ?? null) : null,
        team_id: user.team_id ?? '',
        enterprise_id: user.enterprise_user?.enterprise_id ?? null,
        is_active: !user.deleted && !user.is_bot,
      };
    },
    async tell(channel, user, { text, blocks }) {
      await call('chat.postEphemeral', { channel, user, text, blocks });
    },
    async openDialog(trigger_id, view) {
      await call('views.open', { trigger_id, view });
    },
    async updateDialog(view_id, view) {
      await call('views.update', { view_id, view });
    },
    async unfurl(place, unfurls) {
      await call('chat.unfurl', { ...place, unfurls });
    },
    async publishHome(user_id, blocks) {
      await call('views.publish', { user_id, view: { type: 'home', blocks } });
    },
    async revoke() {
      await call('auth.revoke', {});
    },
  };
}

function toTokens({ access_token, refresh_token, expires_in }: z.infer<typeof TOKENS>): ChatTokens {
  return { access_token, refresh_token: refresh_token ?? null, expires_in_s: expires_in ?? null };
}

function read<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(answer);
  return parsed.success ? parsed.data : fail('unreachable', 'Slack gave an answer that cannot be read', parsed.error);
}

function fail(code: string, message: string, cause?: unknown): never {
  throw new ChatError(message, { code, is_final: false, retry_after_ms: null }, { cause });
}
