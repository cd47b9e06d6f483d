/** Posts to a Slack workspace. The package takes long to load, so it is loaded with the first message. */
import type { WebClient } from '@slack/web-api';
import { lazy } from '../../lib/lazy.ts';
import type { ChatMessage, ChatRef, ChatResult, ChatSender } from './types.ts';

const TIMEOUT_MS = 10_000;

/** What a person must do about an error that no retry resolves. */
const FINAL: Readonly<Record<string, string>> = {
  channel_not_found:
    'the channel does not exist, or is private and the app is not in it; invite the app or choose another',
  not_in_channel: 'the app is not in the channel; invite it',
  is_archived: 'the channel is archived; choose another',
  restricted_action: 'the workspace does not allow the app to post there',
  token_revoked: 'the token of the app was revoked; connect the workspace again',
  token_expired: 'the token of the app has expired; connect the workspace again',
  account_inactive: 'the app was removed from the workspace; connect it again',
  invalid_auth: 'Slack does not accept the token of the app; connect the workspace again',
  not_authed: 'Slack does not accept the token of the app; connect the workspace again',
  missing_scope: 'the app lacks the permission chat:write; install it again',
  message_not_found: 'the message was deleted',
  cant_update_message: 'the message belongs to another app',
  msg_blocks_too_long: 'Slack rejects the message as too long',
  invalid_blocks: 'Slack rejects the form of the message',
};

export interface SlackOptions {
  token: string;
  /** Base URL of the Web API. */
  api_url: string;
}

/** @returns a sender for the workspace of the token */
export function createSlackSender({ token, api_url }: SlackOptions): ChatSender {
  const open = lazy(async (): Promise<WebClient> => {
    const { LogLevel, WebClient } = await import('@slack/web-api');
    // The service's own deliveries retry, and obey Retry-After without holding a worker.
    const retries = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
    return new WebClient(token, { slackApiUrl: api_url, timeout: TIMEOUT_MS, logLevel: LogLevel.ERROR, ...retries });
  });

  async function call(method: string, options: Record<string, unknown>): Promise<ChatResult> {
    try {
      const answer: unknown = await (await open()).apiCall(method, options);
      const { channel, ts } = answer as { channel?: unknown; ts?: unknown };
      return { ok: true, ref: { channel: String(channel), ts: String(ts) } };
    } catch (error) {
      return describeFailure(error);
    }
  }

  return {
    post: (channel, message, thread) =>
      call('chat.postMessage', {
        ...toArguments(channel, message),
        ...(thread === null ? {} : { thread_ts: thread.ts }),
      }),
    update: (ref: ChatRef, message) => call('chat.update', { ...toArguments(ref.channel, message), ts: ref.ts }),
  };
}

function toArguments(channel: string, { text, blocks }: ChatMessage): Record<string, unknown> {
  return { channel, text, blocks, unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false };
}

/** @see https://docs.slack.dev/tools/node-slack-sdk/web-api#handle-errors */
function describeFailure(error: unknown): ChatResult {
  const { data, retryAfter } = error as { data?: { error?: string }; retryAfter?: number };
  if (retryAfter !== undefined) {
    return failure('rate_limited', 'Slack asked to wait', { is_final: false, retry_after_ms: retryAfter * 1_000 });
  }
  const code = data?.error;
  if (code === undefined) return failure('unreachable', 'Slack could not be reached', { is_final: false });
  const advice = FINAL[code];
  if (advice !== undefined) return failure(code, `${advice} (${code})`, { is_final: true });
  return failure(code, `Slack answered with the error ${/^[a-z_]{1,60}$/.test(code) ? code : 'unknown'}`, {
    is_final: false,
  });
}

function failure(
  code: string,
  error: string,
  { is_final, retry_after_ms = null }: { is_final: boolean; retry_after_ms?: number | null },
): ChatResult {
  return { ok: false, code, error, is_final, retry_after_ms };
}
