import type { ChatMessage, ChatRef, ChatResult, ChatSender } from '../../adapters/slack/types.ts';
import type { Posting } from './types.ts';

/** A message that cannot be looked for in so many attempts is posted: twice is better than never. */
const MOST_LOOKS = 3;

export type PostResult = ChatResult & {
  /** An earlier attempt had posted it, as it was then. */
  is_found?: boolean;
  /** Whether it was posted is not known. */
  is_unsure?: boolean;
};

/**
 * Posts a message, unless an attempt has posted it whose process was killed, or whose response was lost.
 *
 * @param posting undefined for a message that is not attempted twice
 */
export async function postOnce(
  chat: ChatSender,
  { channel, message, thread }: { channel: string; message: ChatMessage; thread: ChatRef | null },
  { delivery_id, posting }: { delivery_id: string; posting?: Posting | undefined },
): Promise<PostResult> {
  const begun_at = posting?.begun_at ?? null;
  if (posting !== undefined && begun_at !== null) {
    const found = await chat.find(channel, thread, { delivery_id, begun_at });
    if (found.ok && found.ref !== null) return { ok: true, ref: found.ref, is_found: true };
    if (!found.ok && !found.is_final && posting.attempts <= MOST_LOOKS) return { ...found, is_unsure: true };
  }
  await posting?.begin();
  const result = await chat.post(channel, message, thread, delivery_id);
  return { ...result, is_unsure: !result.ok && !result.is_final && result.code !== 'rate_limited' };
}
