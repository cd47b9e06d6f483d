import type { ChatFailure, ChatMessage, ChatRef, ChatSender } from '../../server/adapters/slack/types.ts';

/** A posted message. `revisions` has every form that it had. */
export interface Posted {
  channel: string;
  ts: string;
  thread_ts: string | null;
  delivery_id: string;
  revisions: ChatMessage[];
}

type Failure = Omit<ChatFailure, 'ok'>;

/** A chat workspace in memory. Like Slack, it posts a repeated message again. */
export function createFakeChat() {
  const posted: Posted[] = [];
  const failures: Failure[] = [];
  let calls = 0;
  let afterPost: (() => Promise<void>) | undefined;

  const fail = (): ChatFailure | undefined => {
    const failure = failures.shift();
    return failure && { ok: false, ...failure };
  };
  const sender: ChatSender = {
    async post(channel, message, thread, delivery_id) {
      calls += 1;
      const failure = fail();
      if (failure !== undefined) return failure;
      const ts = `${posted.length + 1}.0`;
      posted.push({ channel, ts, thread_ts: thread?.ts ?? null, delivery_id, revisions: [message] });
      await afterPost?.();
      return { ok: true, ref: { channel, ts } };
    },
    async find(channel, thread, { delivery_id }) {
      calls += 1;
      const found = posted.find((one) => one.delivery_id === delivery_id && one.thread_ts === (thread?.ts ?? null));
      return { ok: true, ref: found === undefined ? null : { channel, ts: found.ts } };
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
