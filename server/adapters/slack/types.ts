/** A message in a channel of a chat workspace. */
export interface ChatMessage {
  /** Shown where blocks are not, such as in push notifications. */
  text: string;
  /** Block Kit. */
  blocks: readonly object[];
}

export interface ChatRef {
  /** ID of the channel. */
  channel: string;
  /** ID of the message in it. */
  ts: string;
}

export type ChatResult =
  | { ok: true; ref: ChatRef }
  | {
      ok: false;
      /** The code of the workspace, such as `channel_not_found`; `unreachable` without an answer. */
      code: string;
      /** A sentence without text from the other side. */
      error: string;
      /** Whether a retry cannot help until somebody changes something. */
      is_final: boolean;
      /** The wait that the workspace requested; null = none. */
      retry_after_ms: number | null;
    };

/** Posts messages to one chat workspace. Never throws for an answer of the workspace. */
export interface ChatSender {
  /** @param thread the message to reply to; null for a message of its own */
  post(channel: string, message: ChatMessage, thread: ChatRef | null): Promise<ChatResult>;
  update(ref: ChatRef, message: ChatMessage): Promise<ChatResult>;
}
