import type { ChatMessage, ChatRef, ChatResult, ChatSender } from '../../server/adapters/slack/types.ts';

/** A posted message. `revisions` has every form that it had. */
export interface Posted {
  channel: string;
  ts: string;
  thread_ts: string | null;
  revisions: ChatMessage[];
}

type Failure = Omit<Extract<ChatResult, { ok: false }>, 'ok'>;

/** A chat workspace in memory. Like Slack, it posts a repeated message again. */
export function createFakeChat() {
  const posted: Posted[] = [];
  const failures: Failure[] = [];
  let calls = 0;
  let afterPost: (() => Promise<void>) | undefined;

  const fail = (): ChatResult | undefined => {
    const failure = failures.shift();
    return failure && { ok: false, ...failure };
  };
  const sender: ChatSender = {
    async post(channel, message, thread) {
      calls += 1;
      const failure = fail();
      if (failure !== undefined) return failure;
      const ts = `${posted.length + 1}.0`;
      posted.push({ channel, ts, thread_ts: thread?.ts ?? null, revisions: [message] });
      await afterPost?.();
      return { ok: true, ref: { channel, ts } };
    },
    async update(ref: ChatRef, message) {
      calls += 1;
      const failure = fail();
      if (failure !== undefined) return failure;
      posted.find(({ ts }) => ts === ref.ts)?.revisions.push(message);
      return { ok: true, ref };
    },
  };
  return {
    sender,
    posted,
    countCalls: () => calls,
    /** The next calls fail in this way. */
    failNext: (...next: Failure[]) => void failures.push(...next),
    /** Runs after a message was posted, before the caller learns of it. */
    onPosted: (run: (() => Promise<void>) | undefined) => {
      afterPost = run;
    },
    /** Messages of their own, without replies. */
    roots: () => posted.filter(({ thread_ts }) => thread_ts === null),
    replies: () => posted.filter(({ thread_ts }) => thread_ts !== null),
  };
}

export type FakeChat = ReturnType<typeof createFakeChat>;
