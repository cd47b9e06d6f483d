/** Slack's Web API. The package takes long to load, so it is loaded with the first call. */
import type { WebClient } from '@slack/web-api';
import { lazy } from '../../lib/lazy.ts';
import { toChatError } from './faults.ts';
import { findMessage, toMetadata } from './find-message.ts';
import type { ChatFailure, ChatMessage, ChatRef, ChatResult, ChatSender } from './types.ts';

const TIMEOUT_MS = 10_000;

export interface SlackOptions {
  token: string;
  /** Base URL of the Web API. */
  api_url: string;
}

/** Calls a method of the Web API. @throws ChatError */
export type CallSlack = (method: string, options: Record<string, unknown>) => Promise<unknown>;

/** @param token undefined for methods that need none */
export function createSlackCaller({ token, api_url }: Pick<SlackOptions, 'api_url'> & { token?: string }): CallSlack {
  const open = lazy(async (): Promise<WebClient> => {
    const { LogLevel, WebClient } = await import('@slack/web-api');
    // The service's own deliveries retry, and obey Retry-After without holding a worker.
    const retries = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
    return new WebClient(token, { slackApiUrl: api_url, timeout: TIMEOUT_MS, logLevel: LogLevel.ERROR, ...retries });
  });
  return async (method, options) => {
    try {
      return await (await open()).apiCall(method, options);
    } catch (error) {
      throw toChatError(error);
    }
  };
}

/** @returns a sender for the workspace of the token */
export function createSlackSender(options: SlackOptions): ChatSender {
  return toSender(createSlackCaller(options));
}

export function toSender(callSlack: CallSlack): ChatSender {
  async function call(method: string, options: Record<string, unknown>): Promise<ChatResult> {
    try {
      const { channel, ts } = (await callSlack(method, options)) as { channel?: unknown; ts?: unknown };
      return { ok: true, ref: { channel: String(channel), ts: String(ts) } };
    } catch (error) {
      return toFailure(error);
    }
  }

  return {
    post: (channel, message, thread, delivery_id) =>
      call('chat.postMessage', {
        ...toArguments(channel, message),
        metadata: toMetadata(delivery_id),
        ...(thread === null ? {} : { thread_ts: thread.ts }),
      }),
    find: (channel, thread, sought) => findMessage(callSlack, { channel, thread }, sought).catch(toFailure),
    update: (ref: ChatRef, message) => call('chat.update', { ...toArguments(ref.channel, message), ts: ref.ts }),
  };
}

function toFailure(error: unknown): ChatFailure {
  const { code, message, is_final, retry_after_ms } = toChatError(error);
  return { ok: false, code, error: message, is_final, retry_after_ms };
}

function toArguments(channel: string, { text, blocks }: ChatMessage): Record<string, unknown> {
  return { channel, text, blocks, unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false };
}
