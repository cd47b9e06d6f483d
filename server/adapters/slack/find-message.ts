import { z } from 'zod';
import type { ChatFound, ChatRef, SoughtMessage } from './types.ts';

/** Names the metadata that identifies a message; Slack allows letters, digits and underscores. */
export const EVENT_TYPE = 'dpa_delivery';
/** Apps that are not in Slack's marketplace get no more than 15 messages at a time. */
const PER_PAGE = 200;
const MOST_PAGES = 10;
/** Maximum difference between Slack's clock and ours. */
const SKEW_S = 120;
/** An attempt to post ends within this time. */
const POST_S = 60;

const PAGE = z.object({
  messages: z
    .array(
      z.object({
        ts: z.string(),
        metadata: z
          .object({ event_type: z.string(), event_payload: z.object({ delivery_id: z.unknown() }) })
          .optional(),
      }),
    )
    .default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** What a message carries, so that it can be found. */
export function toMetadata(delivery_id: string) {
  return { event_type: EVENT_TYPE, event_payload: { delivery_id } };
}

/**
 * Looks for a message of ours in a channel, or among the replies to a message.
 *
 * @param call calls a method of the Web API
 * @throws ChatError
 */
export async function findMessage(
  call: (method: string, options: Record<string, unknown>) => Promise<unknown>,
  { channel, thread }: { channel: string; thread: ChatRef | null },
  { delivery_id, begun_at }: SoughtMessage,
): Promise<ChatFound & { ok: true }> {
  const begun_s = begun_at.getTime() / 1_000;
  const range = { oldest: String(begun_s - SKEW_S), latest: String(begun_s + POST_S + SKEW_S), inclusive: true };
  const where = { channel, include_all_metadata: true, limit: PER_PAGE, ...range };
  const method = thread === null ? 'conversations.history' : 'conversations.replies';
  const place = thread === null ? where : { ...where, ts: thread.ts };
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const answer = await call(method, cursor === undefined ? place : { ...place, cursor });
    const { messages, response_metadata } = PAGE.parse(answer);
    const found = messages.find((one) => isSought(one.metadata, delivery_id));
    if (found !== undefined) return { ok: true, ref: { channel, ts: found.ts } };
    cursor = response_metadata?.next_cursor || undefined;
    if (cursor === undefined) break;
  }
  return { ok: true, ref: null };
}

function isSought(metadata: z.infer<typeof PAGE>['messages'][number]['metadata'], delivery_id: string): boolean {
  return metadata?.event_type === EVENT_TYPE && metadata.event_payload.delivery_id === delivery_id;
}
